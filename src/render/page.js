// The page of src/render/html.h: draws the pairs of its JSON and lights up what belongs together.
(() => {
  const data = JSON.parse(byId('data').textContent);
  const main = byId('pairs');
  const LARGEST_TABLE = 20000; // cells; a larger one would take seconds to lay out
  const LONGEST_NAME = 32; // characters of a word beside the table
  const TOLD = 6; // words named beside a lit one
  const LINKED = 250; // thousandths from which two words are joined by a line
  const TELLING = 5; // thousandths from which a weight is told

  let view = 'words'; // or 'subwords'
  let head = 0; // which matrix
  let lit = null; // the token whose weights are shown

  // ---- the data

  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const FIRST_RUN = 16;

  // The matrix (target, source) of src/render/html.h, in thousandths.
  function decode(text, count) {
    const weights = new Uint16Array(count);
    for (let at = 0, i = 0; at < text.length; at++) {
      const digit = DIGITS.indexOf(text[at]);
      if (digit >= FIRST_RUN) i += digit - FIRST_RUN + 1;
      else weights[i++] = digit * 64 + DIGITS.indexOf(text[++at]);
    }
    return weights;
  }

  const shown = pair => pair.data[view];

  function weightsOf(pair) {
    if (!pair.weights) {
      const { source, target, weights } = shown(pair);
      pair.weights = decode(weights[head], source.length * target.length);
    }
    return pair.weights;
  }

  const weightOf = (pair, s, t) => weightsOf(pair)[t * shown(pair).source.length + s];
  const decimal = weight => (weight / 1000).toFixed(2);

  // ---- pairs

  const pairs = data.pairs.map((pair, number) => ({ data: pair, number, filled: false, weights: null }));

  // ---- where attention and aligner differ

  const KINDS = ['only-attention', 'only-aligner'];
  const KIND_NAMES = ['only the attention', 'only the aligner'];
  const compared = data.pairs.some(pair => pair.differ);

  // The kinds of links between words that only one of the two has: "s-t" → 0 or 1.
  function differences(pair) {
    if (!pair.differ)
      pair.differ = new Map((pair.data.differ || []).flatMap((links, kind) => links.split(' ').filter(Boolean).map(link => [link, kind])));
    return view === 'words' ? pair.differ : new Map();
  }

  // A word is marked by the kinds of its links, a square of the matrix by its own.
  function markWords(pair) {
    for (const [link, kind] of differences(pair)) {
      const [s, t] = link.split('-');
      for (const token of [pair.source[s], pair.target[t]]) if (token) token.classList.add(KINDS[kind]);
    }
  }

  function tellDifferences(token) {
    const found = [[], []];
    for (const [link, kind] of differences(token.pair)) {
      const [s, t] = link.split('-').map(Number);
      if (token.side === 'source' ? s === token.place : t === token.place)
        found[kind].push(token.pair[token.side === 'source' ? 'target' : 'source'][token.side === 'source' ? t : s].textContent);
    }
    return found.map((words, kind) => (words.length ? `; ${KIND_NAMES[kind]}: ${words.join(', ')}` : '')).join('');
  }

  function create(pair) {
    const article = byId('pair').content.cloneNode(true).firstElementChild;
    const name = 'pair-' + (pair.number + 1);
    const link = article.querySelector('a');
    article.id = name;
    article.pair = pair;
    article.setAttribute('aria-label', 'Pair ' + (pair.number + 1));
    link.href = '#' + name;
    link.textContent = pair.number + 1;
    pair.article = article;
    pair.lines = { source: article.querySelector('.source'), target: article.querySelector('.target') };
    for (const side of ['source', 'target']) pair.lines[side].setAttribute('aria-label', side + ' of pair ' + (pair.number + 1));
    pair.told = article.querySelector('.told');
    pair.links = article.querySelector('.links');
    pair.open = article.querySelector('.open');
    empty(pair);
    return article;
  }

  // Plain text, which costs little and which the browser's own search finds.
  function empty(pair) {
    pair.filled = false;
    pair.weights = null;
    pair.told.textContent = '';
    pair.links.replaceChildren();
    for (const side of ['source', 'target']) pair.lines[side].textContent = pair.data.words[side].join('');
  }

  // Words that can be pointed at. One of each line can be reached by Tab, the others by the arrow keys.
  function fill(pair) {
    if (pair.filled) return;
    pair.filled = true;
    for (const side of ['source', 'target']) {
      const tokens = shown(pair)[side].map((text, i) => {
        const token = make('button', { type: 'button', class: 'token', tabindex: i === 0 ? 0 : -1 }, text.trim());
        return Object.assign(token, { pair, side, place: i });
      });
      pair[side] = tokens;
      // with the blanks between words, for what is copied
      pair.lines[side].replaceChildren(...tokens.flatMap((token, i) => (/^\s/.test(shown(pair)[side][i]) ? [' ', token] : [token])));
    }
    markWords(pair);
    drawLinks(pair);
    if (pair.table) drawTable(pair);
  }

  // The links as lines between the two rows; where there are none, weights, as dark as they are strong; and what only one has.
  function drawLinks(pair) {
    const from = pair.links.getBoundingClientRect(), lines = [];
    const boxes = side => pair[side].map(token => token.getBoundingClientRect());
    const sources = boxes('source'), targets = boxes('target'), only = differences(pair);
    const line = (s, t, kind, opacity) => {
      const above = sources[s], below = targets[t];
      if (!above || !below) return;
      lines.push(make('line', {
        x1: above.left + above.width / 2 - from.left, y1: above.bottom - from.top,
        x2: below.left + below.width / 2 - from.left, y2: below.top - from.top, class: kind, 'stroke-opacity': opacity,
      }));
    };
    if (view === 'words' && pair.data.links !== undefined)
      for (const link of pair.data.links.split(' ').filter(link => link && !only.has(link))) line(...link.split('-'), 'both', 1);
    else
      sources.forEach((_, s) => targets.forEach((_, t) => {
        const weight = weightOf(pair, s, t);
        if (weight >= LINKED && !only.has(`${s}-${t}`)) line(s, t, 'both', weight / 1000);
      }));
    for (const [link, kind] of only) line(...link.split('-'), KINDS[kind], 1);
    pair.links.replaceChildren(...lines);
  }

  addEventListener('resize', () => pairs.filter(pair => pair.filled).forEach(drawLinks));

  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) fill(entry.target.pair);
  }, { rootMargin: '400px' });

  // After another view or head was chosen: what can be seen is drawn anew, the rest when it comes into sight.
  function redraw() {
    darken();
    for (const pair of pairs) {
      if (!pair.filled) continue;
      empty(pair);
      observer.unobserve(pair.article);
      observer.observe(pair.article);
    }
  }

  // ---- the matrix of a pair

  function nameOf(word, scope) {
    const letters = [...word.trim()];
    const short = letters.length > LONGEST_NAME ? letters.slice(0, LONGEST_NAME - 1).join('') + '…' : letters.join('');
    return make('th', { scope, title: word.trim() }, short);
  }

  function drawTable(pair) {
    const { source, target } = shown(pair);
    if (source.length * target.length > LARGEST_TABLE) {
      pair.table.textContent = `A table of ${target.length} by ${source.length} cells is too large to draw.`;
      return;
    }
    const square = (s, t) => {
      const weight = weightOf(pair, s, t), kind = differences(pair).get(`${s}-${t}`);
      const element = make('td', { class: KINDS[kind], title: KIND_NAMES[kind] }, weight < TELLING ? '' : decimal(weight).replace(/^0/, ''));
      paint(element, weight / 1000);
      return Object.assign(element, { source: s, target: t });
    };
    const rows = target.map((word, t) => make('tr', {}, nameOf(word, 'row'), ...source.map((_, s) => square(s, t))));
    const columns = make('tr', {}, make('td'), ...source.map(word => nameOf(word, 'col')));
    pair.table.replaceChildren(make('table', {}, make('thead', {}, columns), make('tbody', {}, ...rows)));
  }

  function toggleTable(pair) {
    if (pair.table) {
      pair.table.remove();
      pair.table = null;
    } else {
      // with a tabindex, so that the arrow keys can scroll it
      pair.table = make('div', { class: 'matrix', tabindex: 0, role: 'region', 'aria-label': 'Matrix of pair ' + (pair.number + 1) });
      fill(pair);
      drawTable(pair);
      pair.told.after(pair.table);
    }
    pair.open.setAttribute('aria-expanded', String(!!pair.table));
  }

  // ---- lighting up

  function darken() {
    if (!lit) return;
    const { pair } = lit;
    lit = null;
    for (const token of [...pair.source, ...pair.target]) {
      token.classList.remove('lit');
      token.removeAttribute('style');
      token.removeAttribute('data-weight');
    }
    pair.told.textContent = '';
    if (pair.table) for (const name of pair.table.querySelectorAll('th.lit')) name.classList.remove('lit');
  }

  // The words on the other side with their weights, by place.
  function counterparts(token) {
    const others = token.pair[token.side === 'source' ? 'target' : 'source'];
    return others.map(other => ({
      other,
      weight: token.side === 'source' ? weightOf(token.pair, token.place, other.place) : weightOf(token.pair, other.place, token.place),
    }));
  }

  function light(token) {
    if (token === lit) return;
    darken();
    if (!token) return;
    lit = token;
    const { pair, side, place } = token, found = counterparts(token);
    token.classList.add('lit');
    for (const { other, weight } of found) {
      paint(other, weight / 1000);
      if (weight >= TELLING) other.dataset.weight = decimal(weight);
    }
    const told = found.filter(one => one.weight >= TELLING).sort((a, b) => b.weight - a.weight).slice(0, TOLD)
      .map(one => one.other.textContent + '\u00A0' + decimal(one.weight));
    pair.told.textContent = `${token.textContent} ${side === 'source' ? '→' : '←'} ${told.join(', ') || 'nothing'}${tellDifferences(token)}`;
    const names = pair.table && pair.table.querySelectorAll(side === 'source' ? 'thead th' : 'tbody th');
    if (names && names[place]) names[place].classList.add('lit');
  }

  const tokenAt = target => (target.closest && target.closest('.token')) || null;

  main.addEventListener('pointerover', event => {
    if (event.pointerType === 'touch') return; // a tap focuses
    const square = event.target.closest('td');
    if (square && 'target' in square) light(square.closest('.pair').pair.target[square.target]);
    else light(tokenAt(event.target) || tokenAt(document.activeElement));
  });
  main.addEventListener('pointerleave', () => light(tokenAt(document.activeElement)));
  main.addEventListener('focusin', event => {
    const token = tokenAt(event.target);
    if (token) choose(token);
    light(token);
  });
  main.addEventListener('focusout', () => light(null));
  document.addEventListener('click', event => {
    const token = tokenAt(event.target);
    if (token) token.focus(); // Safari does not focus buttons by itself
    else if (event.target.classList.contains('open')) toggleTable(event.target.closest('.pair').pair);
    else if (lit) tokenAt(document.activeElement) ? document.activeElement.blur() : light(null);
  });

  // ---- the keyboard

  // The one token of its line that Tab reaches from now on.
  function choose(token) {
    for (const other of token.pair[token.side]) other.tabIndex = other === token ? 0 : -1;
  }

  // The line above or below: the word with the greatest weight, or the nearest pair's.
  function neighbour(token, down) {
    const { pair, side } = token;
    if ((side === 'source') === down && pair[down ? 'target' : 'source'].length)
      return counterparts(token).reduce((best, one) => (one.weight > best.weight ? one : best)).other;
    for (let at = pair.number + (down ? 1 : -1); at >= 0 && at < pairs.length; at += down ? 1 : -1) {
      const next = pairs[at];
      if (next.article.hidden) continue;
      fill(next);
      const line = down ? next.source : next.target;
      if (line.length) return line.find(one => one.tabIndex === 0);
    }
    return null;
  }

  main.addEventListener('keydown', event => {
    const token = tokenAt(event.target);
    if (!token || event.altKey || event.ctrlKey || event.metaKey) return;
    const line = token.pair[token.side];
    const forward = getComputedStyle(token.parentNode).direction === 'rtl' ? -1 : 1;
    let next;
    switch (event.key) {
      case 'ArrowRight': next = line[token.place + forward]; break;
      case 'ArrowLeft': next = line[token.place - forward]; break;
      case 'Home': next = line[0]; break;
      case 'End': next = line[line.length - 1]; break;
      case 'ArrowDown': next = neighbour(token, true); break;
      case 'ArrowUp': next = neighbour(token, false); break;
      case 'Escape': light(null); return;
      default: return;
    }
    event.preventDefault();
    if (next) next.focus();
  });

  // ---- the controls

  function tellCount(found) {
    const all = pairs.length === 1 ? '1 pair' : pairs.length + ' pairs';
    byId('count').textContent = byId('search').value ? `${found} of ${all}` : '';
  }

  const folded = text => text.normalize('NFC').toLocaleLowerCase();

  byId('search').addEventListener('input', () => {
    const wanted = folded(byId('search').value.trim());
    let found = 0;
    for (const pair of pairs) {
      pair.text = pair.text || folded(pair.data.words.source.join('') + '\n' + pair.data.words.target.join(''));
      pair.article.hidden = !pair.text.includes(wanted);
      if (!pair.article.hidden) found++;
    }
    tellCount(found);
  });

  byId('views').addEventListener('change', event => {
    view = event.target.value;
    redraw();
  });

  byId('heads').addEventListener('change', () => {
    head = byId('heads').selectedIndex;
    redraw();
  });

  // ---- the beginning

  themeButton(byId('theme'));
  document.title = 'Alignments by ' + data.model;
  const shows = data.shows || (data.attention && data.attention + ' attention');
  byId('about').textContent = data.model + (shows ? `, ${shows}` : '') +
    (data.heads > 1 ? ` with ${data.heads} heads` : '') + `, ${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'}`;
  byId('differ').hidden = !compared;
  byId('units').textContent = [...new Set(data.units)].join(' / ');
  document.querySelector('#scale i').style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(colourOf).join()})`;
  if (data.heads > 1) {
    for (let i = 0; i <= data.heads; i++) byId('heads').append(new Option(i ? 'head ' + i : `mean of ${data.heads} heads`));
    byId('heads').hidden = false;
  }
  main.append(...pairs.map(create));
  for (const pair of pairs) observer.observe(pair.article);
})();
