// A step of attention taken apart, level by level: a picture of its numbers with the equation, and behind it the numbers. `byHand`
// lists the source subwords whose weights were given.
function stepLevels(explained, at, byHand, messages) {
  const { formulas, gates, heads, source, annotations } = explained;
  const RESET = 'r = σ(W_ir x + b_ir + W_hr h + b_hr)', UPDATE = 'z = σ(W_iz x + b_iz + W_hz h + b_hz)';

  // A number is a stripe: blue above 0, red below, the stronger the further away.
  function stripes(values) {
    const canvas = make('canvas', { width: values.length, height: 1, 'aria-hidden': 'true' }), pen = canvas.getContext('2d');
    const most = Math.max(...values.map(Math.abs)) || 1;
    values.forEach((value, i) => {
      pen.fillStyle = `rgb(${value > 0 ? '61 111 181' : '200 70 50'} / ${Math.abs(value) / most})`;
      pen.fillRect(i, 0, 1, 1);
    });
    return canvas;
  }

  const level = (name, equation, section, picture, numbers) => make('details', {},
    make('summary', {}, make('b', {}, name), ' ', make('code', {}, equation), picture),
    make('p', { class: 'from' }, messages.section(section)), numbers);

  const vector = (name, equation, section, values) => level(name, equation, section, stripes(values),
    make('p', { class: 'numbers' }, values.map(value => value.toFixed(4)).join(' ')));

  function bar(share) {
    const element = make('span', { class: 'bar-of' });
    element.style.setProperty('--share', `${100 * share}%`);
    return element;
  }

  function weights({ head, energies, weights: shares }) {
    const rows = source.map((token, j) => make('tr', { class: j === at ? 'at' : '' }, make('th', { scope: 'row' }, token),
      ...(energies ? [make('td', {}, energies[j].toFixed(4))] : []), make('td', {}, shares[j].toFixed(4)), make('td', { class: 'wide' }, bar(shares[j]))));
    const heading = make('tr', {}, make('th', {}, heads.length > 1 ? messages.head(head) : ''), ...(energies ? [make('th', {}, 'e_tj')] : []), make('th', {}, 'α_tj'), make('th'));
    return make('table', { class: 'bars' }, make('thead', {}, heading), make('tbody', {}, ...rows));
  }

  const gatesOf = (number, equation, section) => [
    vector(`${messages.gates} r${two ? '₁₂'[number] : ''}`, `${RESET},  ${equation}`, section, gates[number].reset),
    vector(`${messages.gates} z${two ? '₁₂'[number] : ''}`, UPDATE, section, gates[number].update)];

  const two = gates.length > 1, energy = formulas.energy ? `e_tj = ${formulas.energy},  α_tj = exp(e_tj) / Σ_i exp(e_ti)` : 'α_tj = 1 / S';
  const told = byHand.length ? [make('p', { class: 'hand' }, messages.byHand(byHand.map(j => `${source[j]} = ${heads[0].weights[j].toFixed(2)}`).join(', ')))] : [];
  const shares = make('span', { class: 'shares', 'aria-hidden': 'true' }, ...heads[0].weights.map(share => {
    const element = make('span');
    paint(element, share);
    return element;
  }));
  return [
    vector(`${messages.annotation} ${source[at]}`, `h_j = ${formulas.annotation}`, formulas.annotation.includes('x_j') ? 12 : 1, annotations[at]),
    ...(two ? gatesOf(0, "s'_t = GRU(y_{t-1}, s_{t-1})", 10) : []),
    vector(messages.state, `s = ${formulas.state}`, two ? 10 : 2, explained.state),
    ...(explained.query?.length && formulas.query ? [vector(messages.query, `q_t = ${formulas.query}`, 4, explained.query)] : []),
    level(messages.energies, energy, 2, shares, make('div', {}, ...told, ...heads.map(weights))),
    vector(messages.context, `c_t = ${formulas.context}`, 2, explained.context),
    ...gatesOf(two ? 1 : 0, two ? "s_t = GRU₂(c_t, s'_t)" : 's_t = GRU([y_{t-1}; c_t], s_{t-1})', two ? 10 : 1),
    vector(messages.readout, 'r_t = tanh(W_r [s_t; y_{t-1}; c_t] + b_r)', 5, explained.readout),
  ];
}
