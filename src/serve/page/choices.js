// The menu of other translations under a word: those that go on otherwise from it, and those of the whole paragraph.
function choicesMenu(menu, { request, messages, take }) {
  const ALTERNATIVES = 4;
  const MARGIN = 16; // pixels to the sides of the window
  let word = null; // that it is open under

  function close() {
    word = null;
    menu.hidden = true;
    menu.replaceChildren();
  }

  // Adds the texts that are new; each begins with `kept` letters that stay.
  function add(heading, texts, kept, seen) {
    const fresh = texts.filter(one => !seen.has(one)), own = word;
    if (!fresh.length) return;
    const title = document.createElement('h2');
    title.textContent = heading;
    menu.append(title, ...fresh.map(one => {
      const button = document.createElement('button'), beginning = document.createElement('span');
      seen.add(one);
      button.type = 'button';
      beginning.className = 'kept';
      beginning.textContent = one.slice(0, kept);
      button.append(beginning, one.slice(kept));
      button.addEventListener('click', () => {
        close();
        take(own, one);
      });
      return button;
    }));
  }

  function say(message) {
    const line = document.createElement('p');
    line.textContent = message;
    menu.replaceChildren(line);
  }

  function place() {
    const box = word.getBoundingClientRect(), widest = document.documentElement.clientWidth - MARGIN;
    menu.hidden = false;
    menu.style.top = box.bottom + scrollY + 6 + 'px';
    menu.style.left = Math.max(MARGIN, Math.min(box.left, widest - menu.offsetWidth)) + scrollX + 'px';
  }

  async function find(more) {
    try {
      const answer = await ask('translate', { ...request(word.paragraph), alternatives: ALTERNATIVES, ...more });
      return [answer.translatedText, ...(answer.alternatives || [])];
    } catch {
      return []; // a text of several sentences has no continuations
    }
  }

  async function open(under) {
    const { answer } = under.paragraph;
    const prefix = answer.text.slice(0, under.begin);
    word = under;
    say(messages().wait);
    place();
    const [onward, whole] = await Promise.all([prefix ? find({ prefix }) : [], find({})]);
    if (word !== under) return;
    const seen = new Set([answer.text]);
    menu.replaceChildren();
    add(messages().fromHere, onward.filter(one => one.startsWith(prefix)), prefix.length, seen);
    add(messages().others, whole, 0, seen);
    if (!menu.firstChild) say(messages().none);
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
