// The page of `regard serve`: translates while one types, and shows where each word came from.
(() => {
  const text = byId('text'), mirror = byId('mirror'), translation = byId('translation');
  const from = byId('source'), into = byId('target'); // the languages
  const TYPING = 300; // milliseconds of rest before a text is sent
  const AGAIN = 2000; // before a refused one is sent again
  const MOST_LINES = 100; // of a request
  const UNCERTAIN = 0.5; // the least probability of a word that is not underlined
  const DOUBTFUL = 0.3; // of a text that is not marked
  const SURE = 80; // percent, of a text's language that is not the one chosen
  const LONGEST_LINK = 2000; // letters of a text that the page's address has

  let languages = []; // as /languages lists them
  let mostCharacters = 0; // of a text; 0: no limit
  let mostAligned = Infinity; // characters of a request with alignment
  let messages = MESSAGES.en;
  let paragraphs = []; // those on the page: {text, answer}
  let lit = null; // the word that is pointed at: {paragraph, side, place}
  let correctable = false; // the server takes corrections
  let corrected = null; // the field in which a translation is corrected
  const answers = new Map(); // by languages and text

  const lengthOf = line => [...line].length; // in characters

  // ---- languages

  function nameOf(code) {
    try {
      return new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(code);
    } catch {
      return code; // no tag that the browser knows
    }
  }

  const targetsOf = code => [...new Set(languages.filter(one => code === 'auto' || one.code === code)
    .flatMap(one => one.targets.filter(target => target !== one.code)))];

  function fillSelect(select, codes, wanted) {
    select.replaceChildren(...codes.map(code => new Option(code === 'auto' ? messages.auto : nameOf(code), code)));
    select.value = codes.includes(wanted) ? wanted : codes[0];
  }

  function fillLanguages(source, target) {
    fillSelect(from, ['auto', ...languages.filter(one => targetsOf(one.code).length).map(one => one.code)], source);
    fillSelect(into, targetsOf(from.value), target);
  }

  // The source's language: as chosen, or as the server found it.
  function sourceLanguage(paragraph) {
    return from.value === 'auto' ? paragraph?.answer?.language || 'auto' : from.value;
  }

  // ---- translating

  let timer = 0, asked = null;

  // A request's body, with the key if there is one.
  const post = body => (byId('key').value ? { ...body, api_key: byId('key').value } : body);

  const keyOf = line => [from.value, into.value, line].join('\n');

  function tell(message, wrong = false) {
    byId('status').textContent = message;
    byId('status').classList.toggle('wrong', wrong);
  }

  const tellFault = error => tell(error.status ? error.message : messages.unreachable, true);

  function tellCount() {
    const count = lengthOf(text.value), over = mostCharacters > 0 && count > mostCharacters;
    byId('count').textContent = count ? messages.characters(count, mostCharacters) : '';
    byId('count').classList.toggle('wrong', over);
    byId('clear').hidden = count === 0;
    return !over;
  }

  function tellLanguage() {
    const found = paragraphs.find(one => one.answer?.language);
    byId('detected').textContent = from.value === 'auto' && found ? messages.detected(nameOf(found.answer.language)) : '';
  }

  // Whether the text seems to be in another language that can be chosen; then a button does.
  async function noticeLanguage(own) {
    const given = from.value, before = text.value;
    byId('instead').hidden = true;
    if (given === 'auto' || !before.trim()) return;
    const [found] = await ask('detect', post({ q: before }), own.signal).catch(() => []);
    if (!found || found.confidence < SURE || found.language === given || from.value !== given || text.value !== before) return;
    if (![...from.options].some(one => one.value === found.language)) return;
    byId('instead').hidden = false;
    byId('instead').value = found.language;
    byId('instead').textContent = messages.instead(nameOf(found.language));
  }

  // The page's address has its text, behind #, so that a link leads to the translation; no server sees that.
  function tellAddress() {
    const link = new URLSearchParams({ q: text.value, source: from.value, target: into.value });
    const shown = text.value && text.value.length <= LONGEST_LINK ? `#${link}` : location.pathname + location.search;
    try {
      history.replaceState(null, '', shown);
    } catch { /* too often, says the browser */ }
  }

  // The lines in groups of which each is short enough for alignment, but for lines that alone are too long for it.
  function groups(lines) {
    const all = [];
    let size = 0;
    for (const line of lines) {
      size += lengthOf(line);
      if (!all.length || size > mostAligned || all.at(-1).length === MOST_LINES) {
        all.push([]);
        size = lengthOf(line);
      }
      all.at(-1).push(line);
    }
    return all;
  }

  async function translateLines(lines, signal) {
    const keys = lines.map(keyOf);
    const alignment = lines.reduce((sum, line) => sum + lengthOf(line), 0) <= mostAligned;
    const request = { q: lines, source: from.value, target: into.value, format: 'text', alignment };
    const found = await ask('translate', post(request), signal);
    lines.forEach((line, i) => answers.set(keys[i], {
      text: found.translatedText[i],
      alignment: found.alignment?.[i],
      confidence: found.confidence?.[i],
      senses: found.senses?.[i],
      language: found.detectedLanguage?.[i].language,
    }));
  }

  async function translate() {
    asked?.abort();
    const own = asked = new AbortController();
    const lines = text.value.split('\n');
    const missing = [...new Set(lines)].filter(line => line.trim() && !answers.has(keyOf(line)));
    if (!tellCount()) return tell(messages.tooLong(mostCharacters), true);
    try {
      if (missing.length) {
        tell(messages.busy);
        translation.classList.add('old');
        for (const group of groups(missing)) await translateLines(group, own.signal);
      }
      if (own.signal.aborted) return;
      const unaligned = lines.some(line => answers.get(keyOf(line)) && lengthOf(line) > mostAligned);
      tell(unaligned ? messages.unaligned(mostAligned) : '');
      paragraphs = lines.map(line => ({ text: line, answer: answers.get(keyOf(line)) }));
      draw();
      tellAddress();
      noticeLanguage(own);
    } catch (error) {
      if (error.name === 'AbortError') return;
      tellFault(error);
      if (error.status === 429) {
        tell(messages.later, true);
        translateSoon(AGAIN);
      }
    }
    translation.classList.remove('old');
  }

  function translateSoon(rest = TYPING) {
    clearTimeout(timer);
    timer = setTimeout(translate, rest);
  }

  // ---- drawing

  /* The text as elements of its units, in order, with what lies between. A unit that is not found as it stands, since the model
   * sees the text normalised, has none. */
  function drawUnits(line, units, side, paragraph) {
    const nodes = [], words = [];
    let at = 0;
    units?.forEach((unit, place) => {
      const begin = line.indexOf(unit.trim(), at);
      if (begin < 0 || !unit.trim()) return;
      if (begin > at) nodes.push(line.slice(at, begin));
      at = begin + unit.trim().length;
      const word = Object.assign(make('span', {}, line.slice(begin, at)), { paragraph, side, place, begin, end: at });
      nodes.push(words[place] = word);
    });
    if (at < line.length) nodes.push(line.slice(at));
    return { nodes, words };
  }

  function drawTarget(paragraph) {
    const element = make('p', { dir: 'auto' }), { answer } = paragraph;
    if (!answer) return element;
    const { nodes, words } = drawUnits(answer.text, answer.alignment?.target, 'target', paragraph);
    for (const word of words) {
      if (!word) continue;
      word.className = 'word';
      if (answer.alignment.confidence?.[word.place] < UNCERTAIN) word.classList.add('uncertain');
      word.tabIndex = -1;
      word.setAttribute('role', 'button');
      word.setAttribute('aria-haspopup', 'dialog');
    }
    paragraph.target = words;
    element.append(...nodes);
    if (answer.confidence < DOUBTFUL) {
      element.classList.add('doubtful');
      element.title = messages.doubtful(Math.round(100 * answer.confidence));
    }
    return element;
  }

  // A side of an example, with the word in its middle.
  const drawExample = ([before, word, after], lang) => make('span', { lang, dir: 'auto' }, before, make('mark', {}, word), after);

  // What a single word stands for elsewhere: a small dictionary entry.
  function drawSenses() {
    const drawn = paragraphs.filter(one => one.answer), senses = drawn.length === 1 ? drawn[0].answer.senses ?? [] : [];
    byId('senses').hidden = !senses.length;
    byId('senses').replaceChildren(...senses.map(({ word, share, example }) => make('li', {},
      make('div', {}, make('b', { lang: into.value }, word), ` ${Math.round(100 * share)} %`),
      make('div', {}, ...(example ? [drawExample(example.source, sourceLanguage(drawn[0])), drawExample(example.target, into.value)] : [])))));
  }

  function drawMirror() {
    const nodes = [];
    for (const paragraph of paragraphs) {
      const drawn = drawUnits(paragraph.text, paragraph.answer?.alignment?.source, 'source', paragraph);
      paragraph.source = drawn.words;
      nodes.push(...drawn.nodes, '\n');
    }
    mirror.replaceChildren(...nodes);
  }

  const whole = () => paragraphs.map(one => one.answer?.text ?? '').join('\n');

  function draw() {
    lit = corrected = null;
    menu.close();
    drawMirror();
    translation.lang = into.value;
    text.lang = from.value === 'auto' ? '' : from.value;
    translation.replaceChildren(...paragraphs.map(drawTarget));
    const first = translation.querySelector('.word');
    if (first) first.tabIndex = 0;
    byId('copy').hidden = byId('inspect').hidden = !whole().trim();
    byId('correct').hidden = byId('copy').hidden || !correctable;
    byId('correct').textContent = messages.correct;
    inspector.keep(paragraphs);
    drawSenses();
    byId('spoken').textContent = whole();
    tellLanguage();
  }

  // Until the translation is there, the mirror has the text alone, so that the field grows with it.
  function mirrorText() {
    mirror.replaceChildren(text.value + '\n');
    lit = null;
  }

  // ---- lighting up

  function counterparts({ paragraph, side, place }) {
    const { links } = paragraph.answer.alignment;
    return side === 'source' ? links.filter(link => link[0] === place).map(link => paragraph.target[link[1]])
      : links.filter(link => link[1] === place).map(link => paragraph.source[link[0]]);
  }

  function light(word) {
    if (word === lit) return;
    for (const other of document.querySelectorAll('.lit, .chosen')) other.classList.remove('lit', 'chosen');
    lit = word;
    if (!word?.paragraph.answer?.alignment) return;
    word.classList.add('chosen');
    for (const other of counterparts(word)) other?.classList.add('lit');
  }

  const wordOf = element => (element?.paragraph ? element : null);

  translation.addEventListener('pointerover', event => {
    if (menu.isClosed()) light(wordOf(event.target) || wordOf(document.activeElement));
  });
  translation.addEventListener('pointerleave', () => menu.isClosed() && light(wordOf(document.activeElement)));
  translation.addEventListener('focusin', event => wordOf(event.target) && choose(event.target));
  // the words of the text lie behind it
  text.addEventListener('pointermove', event => light(document.elementsFromPoint(event.clientX, event.clientY).find(wordOf) || null));
  text.addEventListener('pointerleave', () => menu.isClosed() && light(null));
  document.addEventListener('selectionchange', () => {
    if (document.activeElement !== text || !paragraphs.length || text.value !== paragraphs.map(one => one.text).join('\n')) return;
    let at = text.selectionStart;
    for (const paragraph of paragraphs) {
      if (at <= paragraph.text.length) return light(paragraph.source.find(word => word?.begin <= at && at <= word.end) || null);
      at -= paragraph.text.length + 1;
    }
  });

  // ---- the keyboard

  function open(word) {
    choose(word);
    menu.open(word);
  }

  // The one word that Tab reaches from now on.
  function choose(word) {
    for (const other of translation.querySelectorAll('.word[tabindex="0"]')) other.tabIndex = -1;
    word.tabIndex = 0;
    light(word);
  }

  translation.addEventListener('keydown', event => {
    const word = wordOf(event.target);
    if (!word || event.altKey || event.ctrlKey || event.metaKey) return;
    const words = [...translation.querySelectorAll('.word')], at = words.indexOf(word);
    const forward = getComputedStyle(word.parentNode).direction === 'rtl' ? -1 : 1;
    const next = { ArrowRight: words[at + forward], ArrowLeft: words[at - forward], Home: words[0], End: words.at(-1) };
    if (event.key === 'Enter' || event.key === ' ') open(word);
    else if (event.key in next) next[event.key]?.focus();
    else return;
    event.preventDefault();
  });

  // ---- other translations

  const menu = choicesMenu(byId('choices'), {
    request: paragraph => post({ q: paragraph.text, source: sourceLanguage(paragraph), target: into.value }),
    messages: () => messages,
    take,
    inspect: word => inspector.open(word.paragraph, word.begin),
  });

  const inspector = sentenceInspector(byId('inspector'), {
    request: paragraph => post({ source: sourceLanguage(paragraph), target: into.value }),
    messages: () => messages,
  });

  // A translation that was chosen in the place of another, and its alignment.
  async function take(word, chosen) {
    const { paragraph } = word, { answer } = paragraph;
    Object.assign(answer, { text: chosen, alignment: null, before: answer.before ?? answer.text });
    try {
      const request = { q: paragraph.text, translation: chosen, source: sourceLanguage(paragraph), target: into.value };
      answer.alignment = (await ask('align', post(request))).alignment;
    } catch (error) {
      tellFault(error);
    }
    if (paragraphs.includes(paragraph)) draw();
  }

  // ---- corrections

  function correct() {
    corrected = make('textarea', { 'aria-label': messages.correct }, whole());
    byId('correct').textContent = messages.save;
    translation.replaceChildren(corrected);
    corrected.focus();
  }

  // Tells the server of the lines that are others than it has said.
  async function save() {
    const lines = corrected.value.split('\n'), said = paragraphs;
    if (lines.length !== said.length) return tell(messages.asManyLines, true); // whose translations would they be?
    try {
      for (const [i, { text: line, answer }] of said.entries()) {
        if (!answer || !lines[i]?.trim() || lines[i] === (answer.before ?? answer.text)) continue;
        await ask('suggest', post({ q: line, s: lines[i], source: sourceLanguage(said[i]), target: into.value }));
      }
      answers.clear();
      await translate();
      tell(messages.saved);
    } catch (error) {
      tellFault(error);
    }
  }

  byId('correct').addEventListener('click', () => (corrected ? save() : correct()));

  document.addEventListener('click', event => {
    const word = wordOf(event.target);
    if (word?.side === 'target') open(word);
    else if (!menu.contains(event.target)) menu.close();
  });

  // ---- the controls

  text.addEventListener('input', () => {
    tellCount();
    mirrorText();
    menu.close();
    translateSoon();
  });
  text.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) translateSoon(0);
  });

  byId('clear').addEventListener('click', () => {
    text.value = '';
    text.dispatchEvent(new Event('input'));
    text.focus();
  });

  byId('copy').addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(whole());
      tell(messages.copied);
    } catch {
      getSelection().selectAllChildren(translation); // without a secure connection there is no clipboard
    }
  });

  byId('inspect').addEventListener('click', () => inspector.open(lit?.paragraph ?? paragraphs.find(one => one.answer)));

  byId('swap').addEventListener('click', () => {
    const source = sourceLanguage(paragraphs.find(one => one.answer)), target = into.value, translated = whole();
    fillLanguages(target, source);
    text.value = translated;
    text.dispatchEvent(new Event('input'));
    remember();
  });

  byId('instead').addEventListener('click', () => {
    fillLanguages(byId('instead').value, into.value === byId('instead').value ? from.value : into.value);
    remember();
    translateSoon(0);
  });

  for (const select of [from, into])
    select.addEventListener('change', () => {
      fillLanguages(from.value, into.value);
      remember();
      translateSoon(0);
    });
  byId('key').addEventListener('change', () => translateSoon(0));

  byId('interface').addEventListener('change', event => {
    speak(event.target.value);
    remember();
  });

  // ---- the interface's language

  if (matchMedia('(hover: none)').matches) byId('hint').dataset.text = 'tap';

  function speak(language) {
    messages = MESSAGES[language];
    document.documentElement.lang = language;
    for (const element of document.querySelectorAll('[data-text]')) element.textContent = messages[element.dataset.text];
    for (const element of document.querySelectorAll('[data-label]')) {
      element.setAttribute('aria-label', messages[element.dataset.label]);
      if (element.tagName === 'BUTTON') element.title = messages[element.dataset.label];
    }
    for (const element of document.querySelectorAll('[data-placeholder]')) element.placeholder = messages[element.dataset.placeholder];
    fillLanguages(from.value, into.value);
    tellCount();
    tellLanguage();
    inspector.draw();
  }

  // ---- what is remembered between visits, where the browser allows it

  function remember() {
    try {
      localStorage.setItem('regard', JSON.stringify({ source: from.value, target: into.value, interface: byId('interface').value }));
    } catch { /* a private window */ }
  }

  function remembered() {
    try {
      return JSON.parse(localStorage.getItem('regard')) || {};
    } catch {
      return {};
    }
  }

  // ---- the beginning

  async function begin() {
    const before = remembered();
    const system = navigator.languages.map(one => one.slice(0, 2)).find(one => MESSAGES[one]) || 'en';
    const language = MESSAGES[before.interface] ? before.interface : system;
    byId('interface').append(...Object.entries(MESSAGES).map(([code, { name }]) => new Option(name, code)));
    byId('interface').value = language;
    themeButton(byId('theme'));
    speak(language);
    const link = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (link.q) text.value = link.q;
    mirrorText();
    await meet(link);
  }

  // Learns whom it asks and in which languages, and translates what is there.
  async function meet(wanted = {}) {
    const before = remembered();
    try {
      const settings = await ask('frontend/settings');
      languages = await ask('languages');
      mostCharacters = Math.max(0, settings.charLimit);
      mostAligned = settings.alignmentCharLimit;
      byId('key').hidden = !settings.keyRequired;
      correctable = settings.suggestions;
      fillLanguages(wanted.source || before.source || settings.language.source.code, wanted.target || before.target || settings.language.target.code);
      if (text.value) translateSoon(0); // what the browser kept of a page that was loaded anew
    } catch (error) {
      tellFault(error);
    }
  }

  addEventListener('models', () => { // others than before
    asked?.abort();
    answers.clear();
    inspector.keep([]);
    meet();
  });

  begin();
})();
