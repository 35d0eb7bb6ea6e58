// Without this, the pictures of a film stand side by side.
for (const film of document.querySelectorAll('.film')) {
  const pictures = [...film.querySelectorAll('figure')], last = pictures.length - 1;
  const show = () => pictures.forEach((picture, i) => picture.classList.toggle('shown', i === slider.valueAsNumber));
  const slider = make('input', { type: 'range', min: 0, max: last, value: last, 'aria-label': 'Time', input: show });
  if (last < 1) continue;
  film.prepend(slider);
  film.classList.add('slides');
  show();
}
