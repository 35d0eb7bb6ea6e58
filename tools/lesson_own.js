// A sentence of the reader's own: section 2's equations with the numbers of its translation, which the engine in the page answers.
{
  const own = document.getElementById('own');
  const [status, step, words, positions, equations] = ['[name=status]', '.step', '.words', '.positions', '.equations']
    .map(selector => own.querySelector(selector));
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const rounded = (number, digits = 4) => number.toFixed(digits).replace('-', '−');
  let pair; // source and target language
  let asked = 0;

  const sumOf = list => list.reduce((sum, number) => sum + number, 0);

  // The first components of Σ_j α_tj h_j.
  const mean = (weights, annotations) => [0, 1, 2].map(i => sumOf(annotations.map((h, j) => weights[j] * h[i])));

  function showPosition(explained, t, j) {
    const { energies, weights } = explained.heads[0], most = Math.max(...energies);
    const whole = sumOf(energies.map(e => Math.exp(e - most)));
    const terms = weights.map((weight, i) => ({ weight, i })).sort((a, b) => b.weight - a.weight).slice(0, 3)
      .map(({ weight, i }) => `${rounded(weight)} h_${i}`);
    equations.textContent = [
      `e_${t}${j} = ${explained.formulas.energy}`.replace(/_j/g, `_${j}`).replace(/_t/g, `_${t}`) + ` = ${rounded(energies[j])}`,
      `α_${t}${j} = exp(${rounded(energies[j])} − ${rounded(most)}) / ${rounded(whole)} = ${rounded(weights[j])}`,
      `c_${t}  = ${terms.join(' + ')}${weights.length > 3 ? ' + …' : ''} = (${mean(weights, explained.annotations).map(number => rounded(number)).join(', ')}, …)`,
    ].join('\n');
    [...positions.rows].slice(1).forEach((row, i) => row.classList.toggle('chosen', i === j));
  }

  function showStep({ explanation: explained, texts }, t) {
    const { energies, weights } = explained.heads[0], most = Math.max(...energies);
    const cells = (kind, list) => list.map(one => make(kind, {}, one));
    positions.replaceChildren(make('tr', {}, ...cells('th', ['j', '', 'e_tj', 'exp(e_tj − max)', 'α_tj', ''])),
      ...weights.map((weight, i) => {
        const choose = make('button', { type: 'button', textContent: i, onclick: () => showPosition(explained, t, i) });
        return make('tr', {}, ...cells('td', [choose, explained.source[i], rounded(energies[i]), rounded(Math.exp(energies[i] - most)),
          rounded(weight), make('meter', { min: 0, max: 1, value: weight })]));
      }));
    words.replaceChildren(...texts.map((text, i) => make('button', { type: 'button', textContent: text.trim() || text, ariaPressed: String(i === t), onclick: () => look(i) })));
    step.hidden = false;
    showPosition(explained, t, weights.indexOf(Math.max(...weights)));
  }

  // Translates what is written, and shows step t.
  async function look(t) {
    const number = ++asked, q = own.sentence.value.trim();
    if (!q) return;
    status.textContent = '…';
    try {
      const answer = await ask('inspect', { q, source: pair[0], target: pair[1], step: t });
      if (number !== asked) return;
      status.textContent = '';
      showStep(answer, t);
    } catch (error) {
      if (number === asked) status.textContent = error.message;
    }
  }

  async function begin() {
    const languages = await ask('languages');
    pair = languages.flatMap(({ code, targets }) => targets.filter(target => target !== code).map(target => [code, target]))[0];
    own.sentence.value ||= JSON.parse(own.sentence.dataset.examples)[pair[0]] ?? '';
    await look(0);
  }

  own.addEventListener('submit', event => {
    event.preventDefault();
    look(0);
  });
  begin().catch(error => {
    status.textContent = error.message;
  });
}
