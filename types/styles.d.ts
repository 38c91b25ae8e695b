/** Stylesheets that the pages' build takes in. */
declare module '*.css';
