// @ts-nocheck -- it runs in a browser, and the server is checked without one
// The keyboard: / finds, and Escape closes what was opened. Pages work without it.
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.getElementById('q');
  if (field === null) return;
  event.preventDefault();
  field.focus();
});
