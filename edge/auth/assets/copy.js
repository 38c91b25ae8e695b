// A button beside each line that is there to be copied. Without a script the line can still be selected.
for (const line of document.querySelectorAll('.copied pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(line.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  line.after(button);
}
