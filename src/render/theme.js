// A button that switches between light and dark; until it is pressed, the system's appearance holds.
'use strict';
function themeButton(button) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const press = dark => button.setAttribute('aria-pressed', String(dark));
  press(system.matches);
  system.addEventListener('change', () => {
    if (!root.dataset.theme) press(system.matches);
  });
  button.addEventListener('click', () => {
    const dark = button.getAttribute('aria-pressed') !== 'true';
    root.dataset.theme = dark ? 'dark' : 'light';
    press(dark);
  });
}
