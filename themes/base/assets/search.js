// The search over all pages. It is loaded when a reader opens it, with the library and the text of the pages.
(() => {
  const d = document, button = d.querySelector('#search-open');
  const { results, none, failed, close } = button.dataset, label = button.getAttribute('aria-label');
  const here = d.currentScript.src, root = new URL('..', here);
  const MOST = 30, BEFORE = 60, AFTER = 150;

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(d.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const load = file => new Promise((resolve, reject) => d.head.append(
    element('script', { src: new URL(file, here), onload: resolve, onerror: reject })));

  // Words are compared without case and accents. Scripts without spaces are indexed by pairs of characters.
  const WORD = /[\p{L}\p{N}\p{M}]+/gu;
  const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
  const fold = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // The parts of a text that are terms of the index: [term, start, end].
  const parts = text => {
    const found = [];
    const addWord = (word, start) => word && found.push([fold(word), start, start + word.length]);
    for (const { 0: word, index } of text.matchAll(WORD)) {
      let end = 0;
      for (const run of word.matchAll(RUN)) {
        addWord(word.slice(end, run.index), index + end);
        const letters = [...run[0]];
        let start = index + run.index;
        letters.forEach((letter, n) => {
          const pair = letter + (letters[n + 1] ?? '');
          if (pair !== letter || letters.length === 1) found.push([fold(pair), start, start + pair.length]);
          start += letter.length;
        });
        end = run.index + run[0].length;
      }
      addWord(word.slice(end), index + end);
    }
    return found;
  };

  // A text with the terms that were found marked; with `from`, only what is around the first of them.
  const marked = (text, terms, around) => {
    const hits = parts(text).filter(([term]) => terms.has(term));
    let at = 0, end = text.length;
    if (around && hits.length && hits[0][1] > BEFORE) {
      at = text.indexOf(' ', hits[0][1] - BEFORE) + 1;
      if (!at || at > hits[0][1]) at = hits[0][1] - BEFORE / 4;
    }
    if (around && end > at + BEFORE + AFTER) end = at + BEFORE + AFTER;
    const made = at ? ['… '] : [], rest = end < text.length;
    for (const [, start, stop] of hits) {
      if (stop <= at || start >= end) continue;
      if (start > at) made.push(text.slice(at, start));
      made.push(element('mark', {}, text.slice(Math.max(at, start), stop)));
      at = stop;
    }
    return [...made, text.slice(at, Math.max(at, end)), ...(rest ? [' …'] : [])];
  };

  const input = element('input', { type: 'search', autocomplete: 'off', spellcheck: false });
  input.setAttribute('aria-label', label);
  const list = element('ol'), status = element('output');
  const form = element('form', { method: 'dialog' }, input, element('button', {}, close));
  form.setAttribute('role', 'search');
  const dialog = element('dialog', { id: 'search' }, form, status, list);
  dialog.setAttribute('aria-label', label);

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
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
  d.adoptedStyleSheets.push(sheet);

  let index, records, pages;
  const show = () => {
    const hits = input.value.trim() ? index.search(input.value) : [];
    list.replaceChildren(...hits.slice(0, MOST).map(({ id, match }) => {
      const [page, anchor, heading, text] = records[id], [path, title] = pages[page], terms = new Set(Object.keys(match));
      // A folder opened from a disk has no index of its own.
      const file = location.protocol === 'file:' && (!path || path.endsWith('/')) ? `${path}index.html` : path;
      const href = new URL(file, root) + (anchor && `#${anchor}`);
      const name = element('b', {}, ...marked(title, terms), ...(heading ? [' › ', ...marked(heading, terms)] : []));
      return element('li', {}, element('a', { href, onclick: () => dialog.close() }, name, element('span', {}, ...marked(text, terms, true))));
    }));
    status.value = !input.value.trim() ? '' : hits.length ? results.replace('{count}', hits.length) : none;
  };
  const prepare = async () => {
    window.tenureSearch = {};
    await load('search-index.js');
    const { files } = tenureSearch;
    await Promise.all([load(files.library), load(files.pages)]);
    ({ pages, records } = tenureSearch);
    index = new MiniSearch({
      fields: ['page', 'title', 'heading', 'text'],
      tokenize: text => parts(text).map(([term]) => term),
      processTerm: term => term,
      searchOptions: { combineWith: 'AND', prefix: true, fuzzy: term => term.length > 5 && 0.15, boost: { page: 4, title: 0.5, heading: 3 } },
    });
    await index.addAllAsync(records.map(([page, , heading, text], id) => ({ id, page: heading ? '' : pages[page][1], title: pages[page][1], heading, text })), { chunkSize: 100 });
    input.addEventListener('input', show);
    show();
  };

  // The arrow keys go through the results; Enter in the field opens the first.
  dialog.addEventListener('keydown', e => {
    const stops = [input, ...list.querySelectorAll('a')], at = stops.indexOf(d.activeElement);
    // A hidden field would keep the focus until the next frame, and the key / would be taken for text.
    if (e.key === 'Escape') { e.preventDefault(); d.activeElement.blur(); dialog.close(); }
    if (e.key === 'Enter' && at === 0) { e.preventDefault(); stops[1]?.click(); }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[e.key];
    if (at >= 0 && stops[next]) { e.preventDefault(); stops[next].focus(); }
  });
  dialog.addEventListener('click', e => e.target === dialog && dialog.close());
  const open = () => { dialog.showModal(); input.select(); };
  d.body.append(dialog);
  button.addEventListener('click', open);
  open();
  prepare().catch(() => status.value = failed);
})();
