// The search over all pages. It is loaded when a reader opens it, with the library and the text of the pages.
(() => {
  const button = document.querySelector('#search-open');
  const { results, none, failed, close } = button.dataset, label = button.getAttribute('aria-label');
  const scriptUrl = document.currentScript.src, root = new URL('..', scriptUrl);
  const MAX_RESULTS = 30, CHARACTERS_BEFORE = 60, CHARACTERS_AFTER = 150;

  const createElement = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const loadScript = file => new Promise((resolve, reject) => document.head.append(
    createElement('script', { src: new URL(file, scriptUrl), onload: resolve, onerror: reject })));

  // Words are compared without case and accents. Scripts without spaces are indexed by pairs of characters.
  const WORD = /[\p{L}\p{N}\p{M}]+/gu;
  const JOINED_LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
  const fold = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // The parts of a text that are terms of the index: [term, start, end].
  const listTerms = text => {
    const terms = [];
    const addWord = (word, start) => word && terms.push([fold(word), start, start + word.length]);
    for (const { 0: word, index } of text.matchAll(WORD)) {
      let end = 0;
      for (const joined of word.matchAll(JOINED_LETTERS)) {
        addWord(word.slice(end, joined.index), index + end);
        const letters = [...joined[0]];
        let start = index + joined.index;
        letters.forEach((letter, n) => {
          const pair = letter + (letters[n + 1] ?? '');
          if (pair !== letter || letters.length === 1) terms.push([fold(pair), start, start + pair.length]);
          start += letter.length;
        });
        end = joined.index + joined[0].length;
      }
      addWord(word.slice(end), index + end);
    }
    return terms;
  };

  // The nodes of a text with its matching terms marked; an excerpt has only the text around the first match.
  const markTerms = (text, matchingTerms, isExcerpt) => {
    const matches = listTerms(text).filter(([term]) => matchingTerms.has(term));
    let position = 0, end = text.length;
    if (isExcerpt && matches.length && matches[0][1] > CHARACTERS_BEFORE) {
      const [, start] = matches[0];
      position = text.indexOf(' ', start - CHARACTERS_BEFORE) + 1;
      if (!position || position > start) position = start - CHARACTERS_BEFORE / 4;
    }
    if (isExcerpt) end = Math.min(end, position + CHARACTERS_BEFORE + CHARACTERS_AFTER);
    const nodes = position ? ['… '] : [], isCut = end < text.length;
    for (const [, start, stop] of matches) {
      if (stop <= position || start >= end) continue;
      if (start > position) nodes.push(text.slice(position, start));
      nodes.push(createElement('mark', {}, text.slice(Math.max(position, start), stop)));
      position = stop;
    }
    return [...nodes, text.slice(position, Math.max(position, end)), ...(isCut ? [' …'] : [])];
  };

  const input = createElement('input', { type: 'search', autocomplete: 'off', spellcheck: false });
  input.setAttribute('aria-label', label);
  const list = createElement('ol'), status = createElement('output');
  const form = createElement('form', { method: 'dialog' }, input, createElement('button', {}, close));
  form.setAttribute('role', 'search');
  const dialog = createElement('dialog', { id: 'search' }, form, status, list);
  dialog.setAttribute('aria-label', label);

  const style = new CSSStyleSheet();
  style.replaceSync(`
#search{inset:0;width:min(42rem,100% - 2rem);max-height:min(40rem,100% - 4rem);margin:2rem auto auto;padding:1rem 1.2rem;overflow:auto;overscroll-behavior:contain;border:1px solid var(--muted,GrayText);border-radius:10px;background:var(--bg,Canvas);color:var(--fg,CanvasText)}
#search::backdrop{background:#0007}
#search form{display:flex;gap:.8rem}
#search input{flex:1;min-width:0;padding:.45rem .7rem;border:1px solid var(--muted,GrayText);border-radius:6px;background:none;font:inherit;color:inherit}
#search button{padding:.3rem .8rem;border:1px solid var(--muted,GrayText);border-radius:6px;background:none;color:inherit;cursor:pointer}
#search output{display:block;margin:.6rem 0;font-size:.88rem;color:var(--muted)}
#search ol{list-style:none;margin:0;padding:0}
#search li{margin:0}
#search a{display:block;padding:.5rem .6rem;border-radius:6px;color:inherit;text-decoration:none}
#search a:is(:hover,:focus){background:color-mix(in srgb,currentColor 8%,#0000)}
#search b{color:var(--accent,var(--link,LinkText))}
#search a>span{display:block;font-size:.92rem;overflow-wrap:anywhere}
#search mark{background:var(--mark,Mark);color:inherit}`);
  document.adoptedStyleSheets.push(style);

  // A folder opened from a disk has no index of its own.
  const makeUrl = (path, anchor) => {
    const file = location.protocol === 'file:' && (!path || path.endsWith('/')) ? `${path}index.html` : path;
    return new URL(file, root) + (anchor && `#${anchor}`);
  };
  let index, records, pages;
  const showResults = () => {
    const found = input.value.trim() ? index.search(input.value) : [];
    list.replaceChildren(...found.slice(0, MAX_RESULTS).map(({ id, match }) => {
      const [page, anchor, heading, text] = records[id], [path, title] = pages[page], terms = new Set(Object.keys(match));
      const href = makeUrl(path, anchor);
      const name = createElement('b', {}, ...markTerms(title, terms), ...(heading ? [' › ', ...markTerms(heading, terms)] : []));
      return createElement('li', {}, createElement('a', { href, onclick: () => dialog.close() }, name, createElement('span', {}, ...markTerms(text, terms, true))));
    }));
    status.value = !input.value.trim() ? '' : found.length ? results.replace('{count}', found.length) : none;
  };
  const loadIndex = async () => {
    window.tenureSearch = {};
    await loadScript('search-index.js');
    const { files } = tenureSearch;
    await Promise.all([loadScript(files.library), loadScript(files.pages)]);
    ({ pages, records } = tenureSearch);
    index = new MiniSearch({
      fields: ['page', 'title', 'heading', 'text'],
      tokenize: text => listTerms(text).map(([term]) => term),
      processTerm: term => term,
      searchOptions: { combineWith: 'AND', prefix: true, fuzzy: term => term.length > 5 && 0.15, boost: { page: 4, title: 0.5, heading: 3 } },
    });
    await index.addAllAsync(records.map(([page, , heading, text], id) => ({ id, page: heading ? '' : pages[page][1], title: pages[page][1], heading, text })), { chunkSize: 100 });
    input.addEventListener('input', showResults);
    showResults();
  };

  // The arrow keys go through the results; Enter in the field opens the first.
  dialog.addEventListener('keydown', event => {
    const focusable = [input, ...list.querySelectorAll('a')], position = focusable.indexOf(document.activeElement);
    // A hidden field would keep the focus until the next frame, and the key / would be taken for text.
    if (event.key === 'Escape') { event.preventDefault(); document.activeElement.blur(); dialog.close(); }
    if (event.key === 'Enter' && position === 0) { event.preventDefault(); focusable[1]?.click(); }
    const next = { ArrowDown: position + 1, ArrowUp: position - 1 }[event.key];
    if (position >= 0 && focusable[next]) { event.preventDefault(); focusable[next].focus(); }
  });
  dialog.addEventListener('click', event => event.target === dialog && dialog.close());
  const openDialog = () => { dialog.showModal(); input.select(); };
  document.body.append(dialog);
  button.addEventListener('click', openDialog);

  // On the page for an address that does not exist: a field with the words of the address, and the three nearest pages.
  const lost = document.querySelector('#lost'), [field] = lost?.getElementsByTagName('input') ?? [];
  const showNearest = () => {
    const found = index.search(field.value, { combineWith: 'OR', fuzzy: .3 }).map(({ id }) => pages[records[id][0]]);
    const items = [...new Set(found)].slice(0, 3).map(([path, title]) => createElement('li', {}, createElement('a', { href: makeUrl(path, '') }, title)));
    if (items.length) lost.nextElementSibling.replaceChildren(...items);
    lost.hidden = false;
  };
  if (lost) {
    // The words of a query are decoded without an error, also if the address is damaged.
    const address = new URLSearchParams(`path=${location.pathname.replace(/[&+]/g, ' ')}`).get('path');
    field.value = (address.match(WORD) ?? []).filter(word => !/^(index|html?)$/i.test(word)).join(' ');
    lost.addEventListener('submit', event => {
      event.preventDefault();
      input.value = field.value;
      openDialog();
      showResults();
    });
  } else openDialog();
  loadIndex().then(() => lost && showNearest()).catch(() => status.value = failed);
})();
