(() => {
  const d = document, root = d.documentElement;
  const $ = (s, c = d) => c.querySelector(s), $$ = (s, c = d) => [...c.querySelectorAll(s)];

  // A disk has no server that completes the URL of a folder.
  if (location.protocol === 'file:') for (const a of d.links) if (a.protocol === 'file:' && a.pathname.endsWith('/')) a.pathname += 'index.html';

  // A choice is kept while it differs from the system.
  const button = $('#theme-switch');
  if (button) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
    const label = () => {
      button.title = isDark() ? button.dataset.light : button.dataset.dark;
      button.setAttribute('aria-label', button.title);
    };
    label();
    system.addEventListener('change', label);
    button.addEventListener('click', () => {
      const next = isDark() ? 'light' : 'dark', same = (next === 'dark') === system.matches;
      same ? delete root.dataset.theme : root.dataset.theme = next;
      try { same ? localStorage.removeItem('theme') : localStorage.setItem('theme', next); } catch {}
      label();
    });
  }

  $$('[data-copy]').forEach(b => {
    const label = b.textContent, pre = b.previousElementSibling;
    b.addEventListener('click', async () => {
      try { await navigator.clipboard.writeText(pre.textContent.trim() + '\n'); b.textContent = b.dataset.copied; }
      catch { getSelection().selectAllChildren(pre); b.textContent = b.dataset.press; }
      setTimeout(() => b.textContent = label, 2000);
    });
  });

  const fit = new ResizeObserver((/** @type {any[]} */ seen) => seen.forEach(({ target: el }) => el.tabIndex = -(el.scrollWidth <= el.clientWidth)));
  $$('.scroll,.formula,pre,math[display=block]').forEach(el => fit.observe(el));

  const form = $('#pub-filter'), find = $('#search-open'), q = form?.q;
  find?.addEventListener('click', () => d.head.append(Object.assign(d.createElement('script'),
    { src: find.dataset.src, onerror: () => find.after(find.dataset.failed) })), { once: true });
  addEventListener('keydown', e => {
    if (e.key === '/' && (form || find) && !d.activeElement.matches('input,textarea,select') && !(e.ctrlKey || e.metaKey || e.altKey)) { e.preventDefault(); form ? q.focus() : find.click(); }
  });
  if (!form) return;
  const fold = s => s.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase();
  // A word is found where a word begins, except in scripts that join words.
  const pattern = w => new RegExp((/^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u.test(w) ? '(?<!\\p{L})' : '') + w.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gu');
  const groupOf = el => el.closest('.group');
  const papers = $$('.pub').map(el => {
    const parts = $$('.pub-title,.pub-authors,.pub-venue,.pub-notes,.abs', el), { topics } = el.dataset;
    const hit = Object.assign(d.createElement('p'), { className: 'hit', hidden: true });
    parts.findLast(e => e.parentElement === el).after(hit);
    parts.push(hit);
    return { el, parts, hit, ...el.dataset, spelled: topics.split('|'), topics: fold(topics).split('|'),
      text: fold([...parts.map(e => e.textContent), topics, groupOf(el)?.firstElementChild.textContent].join(' ')) };
  });
  // Marks the matches.
  const hue = window.Highlight && new CSSStyleSheet();
  if (hue) { hue.replaceSync('::highlight(q){background:var(--mark)}'); d.adoptedStyleSheets.push(hue); }
  const mark = words => {
    if (!hue) return;
    CSS.highlights.delete('q');
    if (!words.length) return;
    const hits = [];
    for (const p of papers) if (!p.el.hidden) for (const el of p.parts) {
      const walk = d.createTreeWalker(el, 4);
      for (let node; (node = walk.nextNode());) {
        const text = fold(node.data);
        if (text.length === node.data.length) for (const w of words)
          for (const { 0: { length }, index } of text.matchAll(w)) {
            const r = new Range(); r.setStart(node, index); r.setEnd(node, index + length); hits.push(r);
          }
      }
    }
    CSS.highlights.set('q', new Highlight(...hits));
  };
  const lists = $$('.group,.s-publications').filter(el => $('.pub', el)).reverse();
  const out = $('output', form), none = $('.none', form);
  const run = e => {
    const f = new FormData(form), show = f.get('show'), kinds = f.getAll('kind').flatMap(k => k.split(' ')), topics = f.getAll('topic').map(fold), people = f.getAll('person');
    const words = fold(f.get('q')).split(/\s+/).filter(Boolean).map(pattern);
    let n = 0;
    for (const p of papers) {
      const fits = words.every(w => p.text.search(w) >= 0) && (!show || show in p) &&
        (!kinds.length || kinds.includes(p.kind)) && (!topics.length || topics.some(t => p.topics.includes(t))) &&
        (!people.length || people.some(i => p.people?.split(' ').includes(i)));
      p.el.hidden = !fits;
      // Topics are not shown in a list, except those that were found.
      const tags = fits ? p.spelled.filter((_, i) => words.some(w => p.topics[i].search(w) >= 0)) : [];
      p.hit.hidden = !tags.length;
      p.hit.textContent = `${form.dataset.topic} ${tags.join(', ')}`;
      if (fits) n++;
    }
    for (const el of lists) {
      el.hidden = !$('.pub:not([hidden])', el);
      $(`.jump a[href="#${CSS.escape(el.firstElementChild.id)}"]`)?.toggleAttribute('data-empty', el.hidden);
    }
    mark(words);
    const { all, some } = form.dataset, total = papers.length;
    out.value = n === total ? all : some.replace('{count}', n);
    none.hidden = n > 0;
    if (e) {
      const s = new URLSearchParams([...f].filter(([, v]) => v)).toString();
      history.replaceState(null, '', s ? '?' + s : location.pathname + location.hash);
    }
  };
  // A link: ?q=…&kind=…
  for (const [k, v] of new URLSearchParams(location.search)) {
    if (k === 'q') q.value = v;
    else $$(`[name="${CSS.escape(k)}"]`, form).forEach(i => {
      i.checked ||= i.value === v || k === 'kind' && i.value.split(' ').includes(v);
      if (i.checked && v) $('.facets', form).open = true;
    });
  }
  form.addEventListener('input', run);
  form.addEventListener('reset', e => setTimeout(run, 0, e));
  form.addEventListener('submit', e => e.preventDefault());
  run();
})();
