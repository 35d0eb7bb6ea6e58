// The menu of other translations under a word: those that go on otherwise from it, and those of the whole paragraph.
function choicesMenu(menu, { request, messages, take, inspect }) {
  const ALTERNATIVES = 4;
  const MARGIN = 16; // pixels to the sides of the window
  let word = null; // that it is open under

  function close() {
    word = null;
    menu.hidden = true;
    menu.replaceChildren();
  }

  // A button that closes the menu and does something.
  const button = (act, ...content) => make('button', { type: 'button', click: () => { close(); act(); } }, ...content);

  // Adds the texts that are new; each begins with `kept` letters that stay.
  function add(heading, texts, kept, seen) {
    const fresh = texts.filter(one => !seen.has(one)), own = word;
    if (!fresh.length) return;
    fresh.forEach(one => seen.add(one));
    menu.append(make('h2', {}, heading), ...fresh.map(one => button(() => take(own, one), make('span', { class: 'kept' }, one.slice(0, kept)), one.slice(kept))));
  }

  const say = message => menu.replaceChildren(make('p', {}, message));

  function place() {
    const box = word.getBoundingClientRect(), widest = document.documentElement.clientWidth - MARGIN;
    menu.hidden = false;
    menu.style.top = box.bottom + scrollY + 6 + 'px';
    menu.style.left = Math.max(MARGIN, Math.min(box.left, widest - menu.offsetWidth)) + scrollX + 'px';
  }

  async function find({ paragraph }) {
    try {
      const answer = await ask('translate', { ...request(paragraph), alternatives: ALTERNATIVES });
      return [answer.translatedText, ...(answer.alternatives || [])];
    } catch {
      return [];
    }
  }

  // The word of a text that stands behind `kept` letters.
  const wordBehind = (text, kept) => text.slice(kept).match(/^\s*(\p{Script=Han}|[\p{L}\p{M}\p{N}]+|.)/u)?.[1];

  /* Translations that are the same up to the word and have others there: each goes on with another of the likeliest subwords of
   * the step that says it. */
  async function findOther({ paragraph, begin }) {
    const { text } = paragraph.answer, kept = text.slice(0, begin), question = { ...request(paragraph), ...(kept && { prefix: kept }) };
    try {
      const { texts } = await ask('inspect', question);
      let step = 0;
      for (let end = texts[0].length; end <= begin; end += texts[step].length) step++;
      const { explanation } = await ask('inspect', { ...question, step }), before = texts.slice(0, step).join('');
      const tokens = explanation.likeliest.map(({ token }) => token).filter(token => token !== explanation.token && !/^<.*>$/.test(token)).slice(0, 6);
      const ended = await Promise.all(tokens.map(token => ask('inspect', { ...question, prefix: (before + token.replaceAll('▁', ' ')).trimStart() })));
      const words = new Set([wordBehind(text, begin)]);
      return ended.sort((a, b) => b.score - a.score).map(found => found.translatedText)
        .filter(one => one.startsWith(kept) && !words.has(wordBehind(one, begin)) && words.add(wordBehind(one, begin))).slice(0, ALTERNATIVES);
    } catch {
      return []; // by way of a third language there is nothing to inspect
    }
  }

  async function open(under) {
    const { answer } = under.paragraph;
    word = under;
    say(messages().wait);
    place();
    const [other, whole] = await Promise.all([findOther(under), find(under)]);
    if (word !== under) return;
    const seen = new Set([answer.text]);
    menu.replaceChildren();
    const kept = answer.text.slice(0, under.begin), same = wordBehind(answer.text, under.begin);
    add(messages().fromHere, other, under.begin, seen);
    add(messages().others, whole.filter(one => !one.startsWith(kept) || wordBehind(one, under.begin) !== same), 0, seen);
    if (!menu.firstChild) say(messages().none);
    const inside = button(() => inspect(under), messages().inspect);
    inside.className = 'inside';
    menu.append(inside);
    place();
    menu.querySelector('button')?.focus();
  }

  menu.addEventListener('keydown', event => {
    const buttons = [...menu.querySelectorAll('button')], at = buttons.indexOf(document.activeElement), under = word;
    if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length].focus();
    else if (event.key === 'ArrowUp') buttons[(at + buttons.length - 1) % buttons.length].focus();
    else if (event.key === 'Escape') {
      close();
      under.focus();
    } else return;
    event.preventDefault();
  });

  return { open, close, isClosed: () => menu.hidden, contains: element => menu.contains(element) };
}
