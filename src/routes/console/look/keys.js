// @ts-nocheck -- it runs in a browser, and the server is checked without one
// The keyboard: / finds, and Escape closes what was opened. Pages work without it.
document.addEventListener('keydown', (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') close(event.target);
  if (event.key !== '/' || event.target.closest('input, textarea, select') !== null) return;
  const field = document.getElementById('q');
  if (field === null) return;
  event.preventDefault();
  field.focus();
});

/** Leaves the field that finds, folds up what the focus is in, or else closes the menu. What has a list of its own keeps its key. */
function close(target) {
  if (target.matches('select, [type=date], [type=datetime-local]')) return;
  if (target.id === 'q') {
    target.blur();
    return;
  }
  const unfolded = target.closest('details[open]');
  if (unfolded !== null) {
    unfolded.open = false;
    unfolded.querySelector('summary').focus();
  } else if (location.hash === '#menu') location.hash = '#top';
}
