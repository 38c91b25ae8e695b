// Gives a library that has only headers something to archive.
