// Without this, the pictures of a film stand side by side.
'use strict';
for (const film of document.querySelectorAll('.film')) {
  const pictures = [...film.querySelectorAll('figure')], slider = document.createElement('input');
  const show = () => pictures.forEach((picture, i) => picture.classList.toggle('shown', i === slider.valueAsNumber));
  if (pictures.length < 2) continue;
  Object.assign(slider, { type: 'range', min: 0, max: pictures.length - 1, value: pictures.length - 1 });
  slider.setAttribute('aria-label', 'Time');
  slider.addEventListener('input', show);
  film.prepend(slider);
  film.classList.add('slides');
  show();
}
