// What the parts of the inspector share, and its matrix of attention.

// The places of the subwords of the word that subword `at` belongs to.
function wordOfSubword(tokens, at) {
  const goesOn = place => /^[\p{L}\p{M}\p{N}]/u.test(tokens[place] ?? '') && !/^\p{Script=Han}/u.test(tokens[place]) && /[\p{L}\p{M}\p{N}]$/u.test(tokens[place - 1] ?? '');
  let first = at, end = at + 1;
  while (goesOn(first)) first--;
  while (goesOn(end)) end++;
  return Array.from({ length: end - first }, (_, i) => first + i);
}

// What two lists do not have in common: [item, 'kept' | 'gone' | 'come'], those of the second in their order.
function differences(before, after) {
  const common = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0)), found = [];
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  let i = 0, j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) found.push([after[j++], 'kept', i++]);
    else if (j === after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) found.push([before[i++], 'gone']);
    else found.push([after[j++], 'come']);
  }
  return found;
}

const rounded = value => value?.toFixed(2).replace('-', '−') ?? '∞';
const short = value => (value >= 0.995 ? '1' : value.toFixed(2).slice(1));

// The attention of an inspection as a table whose cells are chosen by clicks and keys, pick(target or -1, source or -1), or cannot be.
function matrixTable(found, { forbidden, come, chosen, label }, pick) {
  const { source, target, attention, log_probabilities: logs } = found;
  const role = pick && 'button';
  const cell = (name, t, j, text, type, more) => make(name, { 'data-t': t, 'data-j': j, class: type, tabindex: -1, ...more }, text);
  const head = make('tr', {}, make('td'), ...source.map((token, j) => cell('th', -1, j, make('span', {}, token), forbidden.has(j) ? 'off' : '',
    { scope: 'col', role, 'aria-pressed': pick && String(forbidden.has(j)) })));
  const rows = attention.map((weights, t) => make('tr', { class: t === chosen?.step ? 'row' : '' },
    cell('th', t, -1, target[t], come.has(t) ? 'come' : '', { scope: 'row', role, title: t in logs && `log p ${logs[t].toFixed(2)}` }),
    ...weights.map((weight, j) => {
      const square = cell('td', t, j, weight >= 0.05 ? short(weight) : '', t === chosen?.step && j === chosen.source ? 'at' : '', { title: `${target[t]} ← ${source[j]}: ${weight.toFixed(4)}` });
      paint(square, weight);
      return square;
    })));
  const table = make('table', { class: pick ? 'matrix' : 'matrix still', 'aria-label': label }, make('thead', {}, head), make('tbody', {}, ...rows));
  if (!pick) return table;
  const first = table.querySelector('.at') ?? table.querySelector('[data-t]');
  if (first) first.tabIndex = 0;
  const chosenCell = event => event.target.closest('[data-t]');
  table.addEventListener('click', event => {
    const at = chosenCell(event);
    if (at) pick(Number(at.dataset.t), Number(at.dataset.j));
  });
  table.addEventListener('keydown', event => {
    const at = chosenCell(event), [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [];
    if (!at) return;
    if (event.key === 'Enter' || event.key === ' ') pick(Number(at.dataset.t), Number(at.dataset.j));
    else if (down === undefined) return;
    else {
      const next = table.querySelector(`[data-t="${Number(at.dataset.t) + down}"][data-j="${Number(at.dataset.j) + right}"]`);
      if (next) {
        at.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    }
    event.preventDefault();
  });
  return table;
}
