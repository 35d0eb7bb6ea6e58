/* The inspector: a sentence's attention, what if it were otherwise, the search as a tree, and a step taken apart. All of it is what
 * `inspect` answers; each change is searched again, and can be taken back. */
function sentenceInspector(panel, { request, messages }) {
  const part = name => panel.querySelector(`[data-part="${name}"]`);
  const NO_WORD = /^<(?:\/?s|pad|unk|0x..)>$/; // subwords that no text has
  let paragraph = null, about = ''; // what is inspected: of the page, and the question that is asked of it
  let sentence = '', before = null, found = null; // the inspection without changes, and with them
  let changes = []; // {kind, values, step, label}: of what_if; kind 'prefix': what the translation begins with
  let chosen = null; // {step, source}
  let asked = 0;

  const surface = token => token.replaceAll('▁', ' ');
  const argmax = values => values.indexOf(Math.max(...values));
  const percent = logP => (logP === undefined ? '' : (100 * Math.exp(logP)).toPrecision(2));
  const questionOf = one => JSON.stringify([request(one), one.text, one.answer?.before && one.answer.text]);

  // The parts of a line that look like sentences.
  function sentencesOf(line) {
    if (!Intl.Segmenter) return [line];
    return [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line)].map(one => one.segment.trim()).filter(Boolean);
  }

  // ---- asking

  function body(more) {
    const lists = {};
    for (const { kind, values } of changes) if (kind !== 'prefix') (lists[kind] ??= []).push(...values);
    const prefix = changes.find(({ kind }) => kind === 'prefix')?.values[0];
    return { ...request(paragraph), q: sentence, ...(prefix && { prefix }), ...(changes.length && { what_if: lists }), ...more };
  }

  function say(message) {
    part('fault').textContent = message;
  }

  // Inspects the sentence with the changes; whether that could be done.
  async function inspect() {
    const own = ++asked;
    panel.classList.add('old');
    try {
      const answer = await ask('inspect', body(chosen && { step: chosen.step }));
      if (own !== asked) return true;
      found = answer;
      before ??= answer;
      say(answer.tree.length ? '' : messages().untranslated);
    } catch (error) {
      if (own !== asked) return true;
      if (chosen && error.message.includes('target subword')) { // the translation is shorter now
        chosen = null;
        return inspect();
      }
      say(error.message);
      return false;
    } finally {
      if (own === asked) panel.classList.remove('old');
    }
    draw();
    return true;
  }

  async function change(next) {
    const last = changes;
    changes = next;
    if (!await inspect()) changes = last;
  }

  // A change in the place of those that it rules out.
  const add = (one, rulesOut = () => false) => change([...changes.filter(other => !rulesOut(other)), one]);
  const begin = text => add({ kind: 'prefix', values: [text], label: messages().begins(text) }, ({ kind }) => kind === 'prefix');

  function choose(step, source) {
    chosen = { step, source: source < 0 ? argmax(found.attention[step]) : source };
    inspect();
  }

  // Takes a word's attention away, or gives it back.
  function toggle(source) {
    const subwords = wordOfSubword(found.source, source), values = subwords.map(String);
    const rest = changes.filter(one => !(one.kind === 'forbid_source' && one.values.includes(String(source))));
    if (rest.length < changes.length) return change(rest);
    return add({ kind: 'forbid_source', values, label: messages().without(subwords.map(j => surface(found.source[j])).join('').trim()) },
      ({ kind, source: other }) => kind === 'attend' && subwords.includes(other)); // it cannot have weight then
  }

  // ---- drawing

  function drawChanges() {
    part('changes').replaceChildren(...changes.map(one => make('button', { type: 'button', title: messages().back, 'aria-label': `${messages().back}: ${one.label}`,
      click: () => change(changes.filter(other => other !== one)) }, one.label, ' ✕')),
    ...(changes.length > 1 ? [make('button', { type: 'button', click: () => change([]) }, messages().all)] : []));
  }

  // The translation with what changed; the places of the subwords that have come.
  function drawText() {
    const come = new Set();
    let place = 0;
    const nodes = differences(before.texts, found.texts).map(([text, kind]) => {
      if (kind === 'come') come.add(place);
      if (kind !== 'gone') place++;
      return kind === 'kept' ? text : make(kind === 'gone' ? 'del' : 'ins', {}, text);
    });
    part('text').replaceChildren(...nodes);
    part('unlike').hidden = !come.size && nodes.every(one => typeof one === 'string');
    return come;
  }

  function drawControls() {
    const { step, source } = chosen, tokens = found.target, ends = step === tokens.length - 1;
    const first = ends ? step : wordOfSubword(tokens, step)[0], sameStep = one => one.step === first && one.kind.startsWith('for');
    const word = ends ? '' : wordOfSubword(tokens, step).map(t => found.texts[t]).join('').trim();
    const given = changes.filter(one => one.kind === 'attend' && one.step === step && one.source !== source);
    const most = 1 - given.reduce((sum, one) => sum + one.weight, 0);
    const field = make('input', { placeholder: messages().another, 'aria-label': messages().another, autocomplete: 'off', spellcheck: 'false' });
    const force = () => field.value.trim() && add({ kind: 'force', step: first, values: [`${first}:${field.value.trim()}`], label: messages().forced(field.value.trim(), first) }, sameStep);
    const shown = make('output', {}, found.attention[step][source].toFixed(2));
    const slider = make('input', { type: 'range', min: 0, max: most.toFixed(2), step: 0.01, value: found.attention[step][source].toFixed(2), 'aria-label': `${messages().weight} ${found.source[source]}`,
      input: () => { shown.textContent = Number(slider.value).toFixed(2); },
      change: () => {
        const weight = Number(slider.value);
        add({ kind: 'attend', step, source, weight, values: [`${step}:${source}=${weight}`], label: messages().given(found.source[source], Math.round(100 * weight), step) },
          one => one.kind === 'attend' && one.step === step && one.source === source);
      } });
    const off = changes.some(one => one.kind === 'forbid_source' && one.values.includes(String(source)));
    field.addEventListener('keydown', event => event.key === 'Enter' && force());
    return make('div', { class: 'controls' },
      ...(word ? [make('button', { type: 'button', click: () => add({ kind: 'forbid', step: first, values: [`${first}:${word}`], label: messages().forbidden(word, first) }, sameStep) }, messages().forbid(word))] : []),
      make('span', {}, field, make('button', { type: 'button', click: force }, messages().force)),
      ...(off ? [] : [make('label', {}, `${messages().weight} ${found.source[source]} `, slider, shown)]));
  }

  function drawLikeliest({ likeliest, token: said }) {
    const kept = found.texts.slice(0, chosen.step).join('');
    return make('div', { class: 'likeliest' }, make('b', {}, messages().likeliest), make('code', {}, 'p = softmax(E_out r_t + b_o)'), ...likeliest.map(({ token, log_probability: logP }) => {
      const button = make('button', { type: 'button', disabled: NO_WORD.test(token) || token === said ? '' : undefined, click: () => begin((kept + surface(token)).trimStart()) }, token, make('small', {}, `${percent(logP)} %`));
      button.style.setProperty('--share', `${100 * Math.exp(logP)}%`);
      return button;
    }));
  }

  function drawStep() {
    const explained = found.explanation, open = [...part('step').querySelectorAll('details')].map(one => one.open);
    if (!chosen || !explained) return part('step').replaceChildren();
    const byHand = changes.flatMap(one => (one.kind === 'forbid_source' ? one.values.map(Number) : one.kind === 'attend' && one.step === chosen.step ? [one.source] : []));
    const levels = stepLevels(explained, chosen.source, byHand, messages());
    levels.forEach((one, i) => { one.open = open[i] ?? false; });
    part('step').replaceChildren(make('h3', {}, messages().step(chosen.step, explained.token, percent(explained.log_probability))), drawControls(), ...levels, drawLikeliest(explained));
  }

  // What is known of a node of the tree.
  function titleOf(i) {
    const { tree } = found, node = tree[i];
    return [messages().node(node.token, rounded(node.log_probability), rounded(node.sum), rounded(node.score)), ...(node.rank ? [messages().rank(node.rank)] : []),
      ...(node.beaten_by === null ? [] : [messages().beaten(tree[node.beaten_by].token, rounded(node.by))])].join('; ');
  }

  // How the hypothesis of a node ends, if it is what the translation begins with.
  async function follow(i) {
    const path = [], told = part('node'), { tree } = found;
    for (let at = i; at !== null; at = tree[at].before) path.unshift(tree[at].token);
    const text = path.filter(token => token !== '</s>').map(surface).join('').trimStart();
    told.replaceChildren(titleOf(i));
    if (path.some(token => token !== '</s>' && NO_WORD.test(token))) return;
    try {
      const ended = path.at(-1) === '</s>' ? text : (await ask('inspect', body({ prefix: text }))).translatedText;
      told.replaceChildren(make('span', {}, titleOf(i)), make('br'), make('b', {}, messages().ended(ended)), ' ', make('button', { type: 'button', click: () => begin(text) }, messages().take));
    } catch (error) {
      say(error.message);
    }
  }

  function drawTree() {
    part('node').replaceChildren();
    part('search').hidden = !found.tree.length;
    part('tree').replaceChildren(...(found.tree.length ? beamTree(found.tree, { label: messages().nodes, titleOf, legend: messages().legend }, follow) : []));
  }

  function draw() {
    if (panel.hidden || !found) return;
    const focused = document.activeElement?.closest?.('.matrix [data-t]')?.dataset;
    const forbidden = new Set(changes.filter(({ kind }) => kind === 'forbid_source').flatMap(({ values }) => values.map(Number)));
    drawChanges();
    const come = drawText(), table = matrixTable(found, { forbidden, come, chosen, label: messages().table }, (t, j) => (t < 0 ? toggle(j) : choose(t, j)));
    part('matrix').replaceChildren(table);
    if (focused) table.querySelector(`[data-t="${focused.t}"][data-j="${focused.j}"]`)?.focus();
    drawStep();
    drawTree();
  }

  // ---- opening

  function start(text) {
    const { answer } = paragraph;
    sentence = text;
    before = found = chosen = null;
    changes = answer.before ? [{ kind: 'prefix', values: [answer.text], label: messages().begins(answer.text) }] : [];
    for (const name of ['changes', 'text', 'matrix', 'step', 'node', 'tree']) part(name).replaceChildren();
    return inspect();
  }

  function close() {
    panel.hidden = true;
    paragraph = null;
  }

  // Of a paragraph; `at`: where in its translation the step to show begins.
  async function open(one, at) {
    const sentences = sentencesOf(one.text), select = part('sentences');
    paragraph = one;
    about = questionOf(one);
    panel.hidden = false;
    select.hidden = sentences.length < 2;
    select.replaceChildren(...sentences.map(text => new Option(text)));
    panel.scrollIntoView({ block: 'nearest' });
    if (!await start(sentences[0]) || at === undefined || sentences.length > 1) return;
    let step = 0;
    for (let end = 0; step < found.texts.length && (end += found.texts[step].length) <= at;) step++;
    choose(step, -1);
  }

  // What is on the page now: the inspector goes along.
  function keep(paragraphs) {
    if (panel.hidden) return;
    const same = paragraphs.find(one => one.answer && questionOf(one) === about), first = paragraphs.find(one => one.answer);
    if (same) paragraph = same;
    else if (first) open(first);
    else close();
  }

  part('close').addEventListener('click', close);
  part('sentences').addEventListener('change', event => start(event.target.value));

  return { open, keep, draw };
}
