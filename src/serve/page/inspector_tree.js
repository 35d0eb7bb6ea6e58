// The beam tree of an inspection, with its legend: each step's hypotheses, those that were found strong, those that were beaten faint.
function beamTree(nodes, { label, titleOf, legend }, choose) {
  const COLUMN = 156, ROW = 26, BOX = 136, HIGH = 22, MARGIN = 8, LETTERS = 11;
  const beaten = node => node.beaten_by !== null, rows = [], found = new Set(), drawn = [];
  nodes.forEach((node, i) => {
    for (let at = node.rank ? i : null; at !== null; at = nodes[at].before) found.add(at);
    (rows[node.step] ??= []).push(i);
  });
  for (const row of rows) row.sort((a, b) => beaten(nodes[a]) - beaten(nodes[b]) || nodes[b].sum - nodes[a].sum || a - b);
  const x = i => MARGIN + nodes[i].step * COLUMN, y = i => MARGIN + rows[nodes[i].step].indexOf(i) * ROW;
  const width = 2 * MARGIN + rows.length * COLUMN, height = 2 * MARGIN + Math.max(...rows.map(row => row.length)) * ROW;
  nodes.forEach((node, i) => {
    const kind = found.has(i) ? 'found' : beaten(node) ? 'beaten' : 'alive';
    const shown = [...node.token].length > LETTERS ? [...node.token].slice(0, LETTERS - 1).join('') + '…' : node.token;
    const line = node.before === null ? [] : [make('path', { d: `M${x(node.before) + BOX} ${y(node.before) + HIGH / 2}L${x(i)} ${y(i) + HIGH / 2}` })];
    drawn.push(make('g', { class: kind, role: 'button', tabindex: i ? -1 : 0, 'data-node': i },
      ...line, make('rect', { x: x(i), y: y(i), width: BOX, height: HIGH, rx: 4 }), make('text', { x: x(i) + 6, y: y(i) + 15 }, shown),
      make('text', { class: 'score', x: x(i) + BOX - 6, y: y(i) + 15 }, node.rank ? `${node.rank}: ${rounded(node.score)}` : rounded(node.sum)), make('title', {}, titleOf(i))));
  });
  const kinds = ['found', 'alive', 'beaten'].map((kind, i) => make('span', { class: kind }, legend[i]));
  const order = { beaten: 0, alive: 1, found: 2 };
  const picture = make('svg', { class: 'tree', role: 'group', 'aria-label': label, width, height, viewBox: `0 0 ${width} ${height}` },
    ...[...drawn].sort((a, b) => order[a.getAttribute('class')] - order[b.getAttribute('class')]));
  const nodeOf = event => event.target.closest('[data-node]');
  const pick = at => {
    picture.querySelector('.at')?.classList.remove('at');
    at.classList.add('at');
    choose(Number(at.dataset.node));
  };
  picture.addEventListener('click', event => nodeOf(event) && pick(nodeOf(event)));
  picture.addEventListener('keydown', event => {
    const at = nodeOf(event), i = Number(at?.dataset.node), row = rows[nodes[i]?.step];
    if (!at) return;
    const next = { ArrowUp: row[row.indexOf(i) - 1], ArrowDown: row[row.indexOf(i) + 1], ArrowLeft: nodes[i].before,
      ArrowRight: rows[nodes[i].step + 1]?.find(other => nodes[other].before === i) };
    if (event.key === 'Enter' || event.key === ' ') pick(at);
    else if (!(event.key in next)) return;
    else drawn[next[event.key]]?.focus();
    event.preventDefault();
  });
  return [make('p', { class: 'legend' }, ...kinds, legend[3]), picture];
}
