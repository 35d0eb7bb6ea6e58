/* The colours of weights 0 … 1, those of render/colour_map.c but that 0 is the paper: the more attention, the further from it, darker
 * on light paper and brighter on dark, in even steps of lightness (CIE L*). */
const COLOURS = { // at 0, 1/4, 1/2, 3/4 and 1
  light: [[255, 255, 255], [222, 210, 110], [95, 165, 110], [20, 110, 130], [28, 50, 110]],
  dark: [[18, 22, 29], [38, 65, 130], [32, 130, 150], [98, 182, 104], [250, 226, 70]],
};

function colourOf(weight) {
  const place = 4 * Math.min(Math.max(weight, 0), 1), at = Math.min(Math.floor(place), 3);
  const between = paper => paper[at].map((from, i) => Math.round(from + (paper[at + 1][i] - from) * (place - at)));
  return `light-dark(rgb(${between(COLOURS.light)}), rgb(${between(COLOURS.dark)}))`;
}

// Colours an element, and its letters light or dark, whichever can be read there.
function paint(element, weight) {
  element.style.background = colourOf(weight);
  element.style.color = `light-dark(${weight < 0.62 ? '#101010' : '#ffffff'}, ${weight < 0.48 ? '#ffffff' : '#101010'})`;
}
