// The example of section 3: computes all numbers from those of the sliders. At the beginning they are the text's own.
'use strict';
const form = document.getElementById('try');
const sliders = [...form.querySelectorAll('input')];
const places = [...document.querySelectorAll('output[data-name]')].map(element => ({
  element, name: element.dataset.name, text: element.textContent, decimals: element.textContent.split('.')[1]?.length ?? 0,
}));
// What is given, as the text writes it first.
const given = {};
for (const { name, text } of places) if (/^(?:[WU]\d\d|[bvs]\d|h\d\d)$/.test(name) && text) given[name] ??= Number(text);

function compute(of) {
  const value = { ...of, x: 0, 1: 0, c0: 0, c1: 0 };
  for (const i of [0, 1]) {
    value[`r${i}`] = value[`W${i}0`] * value.s0 + value[`W${i}1`] * value.s1;
    value[`q${i}`] = value[`r${i}`] + value[`b${i}`];
  }
  for (const j of [0, 1, 2, 3]) {
    for (const i of [0, 1]) {
      value[`k${j}${i}`] = value[`U${i}0`] * value[`h${j}0`] + value[`U${i}1`] * value[`h${j}1`];
      value[`z${j}${i}`] = value[`q${i}`] + value[`k${j}${i}`];
      value[`y${j}${i}`] = Math.tanh(value[`z${j}${i}`]);
    }
    value[`e${j}`] = value.v0 * value[`y${j}0`] + value.v1 * value[`y${j}1`];
    value.x += value[`x${j}`] = Math.exp(value[`e${j}`]);
  }
  for (const j of [0, 1, 2, 3]) {
    value[1] += value[`a${j}`] = value[`x${j}`] / value.x;
    for (const i of [0, 1]) value[`c${i}`] += value[`m${j}${i}`] = value[`a${j}`] * value[`h${j}${i}`];
  }
  return value;
}

// As the text writes numbers: .38, −.0584, with more decimals where a slider has made them needed.
function written(number, decimals) {
  const digits = Math.abs(number - Number(number.toFixed(decimals))) < 1e-9 ? decimals : Math.max(4, decimals);
  return number.toFixed(digits).replace(/^(-?)0\./, '$1.').replace('-', '−').replace(/^−(\.?0+)$/, '$1');
}

function show() {
  const value = compute({ ...given, ...Object.fromEntries(sliders.map(slider => [slider.dataset.name, slider.valueAsNumber])) });
  for (const { element, name, text, decimals } of places) {
    element.textContent = written(value[name], text ? decimals : 2);
    if (text && !form.contains(element)) element.classList.toggle('moved', element.textContent !== text);
  }
  for (const meter of form.querySelectorAll('meter')) meter.value = value[meter.dataset.name];
}

for (const slider of sliders) slider.defaultValue = given[slider.dataset.name];
form.addEventListener('input', show);
form.addEventListener('reset', () => setTimeout(show));
form.addEventListener('submit', event => event.preventDefault());
show();
