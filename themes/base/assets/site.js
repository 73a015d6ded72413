(() => {
  const d = document, root = d.documentElement;
  const $ = (s, c = d) => c.querySelector(s), $$ = (s, c = d) => [...c.querySelectorAll(s)];

  // A disk has no server that completes the URL of a folder.
  if (location.protocol === 'file:') for (const a of d.links) if (a.protocol === 'file:' && a.pathname.endsWith('/')) a.pathname += 'index.html';

  // A choice is stored while it differs from the system.
  const button = $('#theme-switch');
  if (button) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
    const setLabel = () => {
      button.title = isDark() ? button.dataset.light : button.dataset.dark;
      button.setAttribute('aria-label', button.title);
    };
    setLabel();
    system.addEventListener('change', setLabel);
    button.addEventListener('click', () => {
      const theme = isDark() ? 'light' : 'dark', isDefault = (theme === 'dark') === system.matches;
      isDefault ? delete root.dataset.theme : root.dataset.theme = theme;
      try { isDefault ? localStorage.removeItem('theme') : localStorage.setItem('theme', theme); } catch {}
      setLabel();
    });
  }

  // The picture of a list grows into the one of its page. No other has its name, because two would end the transition.
  let grown;
  addEventListener('click', e => {
    const image = e.target.closest?.('a[href]')?.closest('.pub,.entry,.card')?.querySelector('img');
    grown?.style.removeProperty('view-transition-name');
    image?.style.setProperty('view-transition-name', 'picture');
    grown = image;
  });

  $$('[data-copy]').forEach(b => {
    const label = b.textContent, pre = b.previousElementSibling;
    b.addEventListener('click', async () => {
      try { await navigator.clipboard.writeText(pre.textContent.trim() + '\n'); b.textContent = b.dataset.copied; }
      catch { getSelection().selectAllChildren(pre); b.textContent = b.dataset.press; }
      setTimeout(() => b.textContent = label, 2000);
    });
  });

  const observer = new ResizeObserver((/** @type {any[]} */ entries) => entries.forEach(({ target: el }) => el.tabIndex = -(el.scrollWidth <= el.clientWidth)));
  $$('.scroll,pre').forEach(el => observer.observe(el));

  const form = $('#pub-filter'), search = $('#search-open'), field = form?.q;
  const loadSearch = () => d.head.append(Object.assign(d.createElement('script'),
    { src: search.dataset.src, onerror: () => search.after(search.dataset.failed) }));
  $('#lost') ? loadSearch() : search?.addEventListener('click', loadSearch, { once: true });
  addEventListener('keydown', e => {
    if (e.key === '/' && (form || search) && !d.activeElement.matches('input,textarea,select') && !(e.ctrlKey || e.metaKey || e.altKey)) { e.preventDefault(); form ? field.focus() : search.click(); }
  });
  if (!form) return;
  const fold = s => s.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase();
  // A match begins where a word begins, except in scripts without spaces.
  const makePattern = w => new RegExp((/^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u.test(w) ? '(?<!\\p{L})' : '') + w.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gu');
  const papers = $$('.pub').map(el => {
    const parts = $$('.pub-title,.pub-authors,.pub-venue,.pub-notes,.abs', el), { topics } = el.dataset;
    const line = Object.assign(d.createElement('p'), { className: 'found-topics', hidden: true });
    parts.findLast(e => e.parentElement === el).after(line);
    parts.push(line);
    return { el, parts, line, ...el.dataset, names: topics.split('|'), topics: fold(topics).split('|'),
      text: fold([...parts.map(e => e.textContent), topics, el.closest('.group')?.firstElementChild.textContent].join(' ')) };
  });
  const style = window.Highlight && new CSSStyleSheet();
  if (style) { style.replaceSync('::highlight(q){background:var(--mark)}'); d.adoptedStyleSheets.push(style); }
  const markMatches = words => {
    if (!style) return;
    CSS.highlights.delete('q');
    if (!words.length) return;
    const ranges = [];
    for (const p of papers) if (!p.el.hidden) for (const el of p.parts) {
      const walker = d.createTreeWalker(el, 4);
      for (let node; (node = walker.nextNode());) {
        const text = fold(node.data);
        if (text.length === node.data.length) for (const w of words)
          for (const { 0: { length }, index } of text.matchAll(w)) {
            const r = new Range(); r.setStart(node, index); r.setEnd(node, index + length); ranges.push(r);
          }
      }
    }
    CSS.highlights.set('q', new Highlight(...ranges));
  };
  const lists = $$('.group,.s-publications').filter(el => $('.pub', el)).reverse();
  const filterPapers = e => {
    const values = new FormData(form), show = values.get('show'), kinds = values.getAll('kind').flatMap(k => k.split(' ')),
      topics = values.getAll('topic').map(fold), people = values.getAll('person');
    const words = fold(values.get('q')).split(/\s+/).filter(Boolean).map(makePattern);
    let count = 0;
    for (const p of papers) {
      const isShown = words.every(w => p.text.search(w) >= 0) && (!show || show in p) &&
        (!kinds.length || kinds.includes(p.kind)) && (!topics.length || topics.some(t => p.topics.includes(t))) &&
        (!people.length || people.some(i => p.people?.split(' ').includes(i)));
      p.el.hidden = !isShown;
      // Topics are not shown in a list, except those that were found.
      const found = isShown ? p.names.filter((_, i) => words.some(w => p.topics[i].search(w) >= 0)) : [];
      p.line.hidden = !found.length;
      p.line.textContent = `${form.dataset.topic} ${found.join(', ')}`;
      if (isShown) count++;
    }
    for (const el of lists) {
      el.hidden = !$('.pub:not([hidden])', el);
      $(`.jump a[href="#${CSS.escape(el.firstElementChild.id)}"]`)?.toggleAttribute('data-empty', el.hidden);
    }
    markMatches(words);
    const { all, some } = form.dataset;
    $('output', form).value = count === papers.length ? all : some.replace('{count}', count);
    $('.no-match', form).hidden = count > 0;
    const chosen = [...values].filter(([k, v]) => v && k !== 'q').length;
    $('.facets span', form)?.replaceChildren(chosen ? `(${chosen})` : '');
    if (e) {
      const query = new URLSearchParams([...values].filter(([, v]) => v)).toString();
      history.replaceState(null, '', query ? '?' + query : location.pathname + location.hash);
    }
  };
  // A link can set the filter: ?q=…&kind=…
  for (const [k, v] of new URLSearchParams(location.search)) {
    if (k === 'q') field.value = v;
    else $$(`[name="${CSS.escape(k)}"]`, form).forEach(i => {
      i.checked ||= i.value === v || k === 'kind' && i.value.split(' ').includes(v);
      if (i.checked && v) $('.facets', form).open = true;
    });
  }
  form.addEventListener('input', filterPapers);
  form.addEventListener('reset', e => setTimeout(filterPapers, 0, e));
  form.addEventListener('submit', e => e.preventDefault());
  filterPapers();
})();
(() => {
  const d = document, $$ = s => d.querySelectorAll(s);
  const play = v => v.play().catch(() => {});

  // Videos play while they are visible, until the reader stops one.
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && !navigator.connection?.saveData) {
    const observer = new IntersectionObserver((/** @type {any[]} */ entries) => entries.forEach(({ target: v, isIntersecting }) => {
      v.isVisible = isIntersecting;
      isIntersecting ? play(v) : v.pause();
    }), { threshold: .6 });
    $$('.media video').forEach(v => {
      observer.observe(v);
      v.addEventListener('pause', () => v.isVisible && observer.unobserve(v));
    });
    $$('img[data-src]').forEach(img => {
      let v;
      const entry = img.closest('li,article') ?? img;
      const showVideo = () => {
        if (v?.isConnected) return;
        v ??= Object.assign(d.createElement('video'), { src: img.dataset.src, poster: img.currentSrc, className: img.className,
          muted: true, loop: true, playsInline: true, ariaLabel: img.alt, width: img.width, height: img.height });
        v.style.aspectRatio = img.width / img.height;
        img.replaceWith(v);
        play(v);
      };
      const showImage = e => { if (v?.isConnected && !entry.contains(e.relatedTarget)) { v.pause(); v.replaceWith(img); } };
      entry.addEventListener('pointerenter', showVideo);
      entry.addEventListener('focusin', showVideo);
      entry.addEventListener('pointerleave', showImage);
      entry.addEventListener('focusout', showImage);
    });
  }
})();
(() => {
  const $$ = (selector, parent = document) => [...parent.querySelectorAll(selector)];

  // An image of a gallery opens over the page; arrow keys and a click on it show the next one.
  $$('.gallery').forEach(gallery => {
    const links = $$('a', gallery), dialog = document.createElement('dialog'), image = new Image(), caption = document.createElement('p');
    const closeButton = Object.assign(document.createElement('button'), { textContent: '×', ariaLabel: gallery.dataset.close, autofocus: true });
    let current = 0;
    const showImage = number => {
      current = (number + links.length) % links.length;
      const link = links[current];
      image.src = link.href;
      image.alt = dialog.ariaLabel = link.firstElementChild.alt || link.ariaLabel;
      caption.textContent = link.nextElementSibling?.textContent ?? '';
    };
    dialog.className = 'lightbox';
    dialog.append(image, caption, closeButton);
    links.forEach((link, number) => link.addEventListener('click', event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      showImage(number);
      document.body.append(dialog);
      dialog.showModal();
    }));
    dialog.addEventListener('keydown', event => {
      const step = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft');
      if (step) showImage(current + (getComputedStyle(dialog).direction === 'rtl' ? -step : step));
    });
    dialog.addEventListener('click', event => event.target === image ? showImage(current + 1) : dialog.close());
    dialog.addEventListener('close', () => links[current].focus());
  });

  // The slider between two images sets how much of the first one is visible.
  $$('.compare>input').forEach(slider => {
    const setWidth = () => slider.parentNode.style.setProperty('--at', slider.value + '%');
    slider.addEventListener('input', setWidth);
    setWidth();
  });
})();
