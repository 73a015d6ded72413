(() => {
  const d = document, $$ = s => d.querySelectorAll(s);
  const play = v => v.play().catch(() => {});

  // Videos play while they are seen, until the reader stops one.
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && !navigator.connection?.saveData) {
    const seen = new IntersectionObserver((/** @type {any[]} */ all) => all.forEach(({ target: v, isIntersecting }) => {
      v.seen = isIntersecting;
      isIntersecting ? play(v) : v.pause();
    }), { threshold: .6 });
    $$('.media video').forEach(v => {
      seen.observe(v);
      v.addEventListener('pause', () => v.seen && seen.unobserve(v));
    });
    $$('img[data-src]').forEach(img => {
      let v;
      const entry = img.closest('li,article') ?? img;
      const show = () => {
        if (v?.isConnected) return;
        v ??= Object.assign(d.createElement('video'), { src: img.dataset.src, poster: img.currentSrc, className: img.className,
          muted: true, loop: true, playsInline: true, ariaLabel: img.alt, width: img.width, height: img.height });
        v.style.aspectRatio = img.width / img.height;
        img.replaceWith(v);
        play(v);
      };
      const hide = e => { if (v?.isConnected && !entry.contains(e.relatedTarget)) { v.pause(); v.replaceWith(img); } };
      entry.addEventListener('pointerenter', show);
      entry.addEventListener('focusin', show);
      entry.addEventListener('pointerleave', hide);
      entry.addEventListener('focusout', hide);
    });
  }

  // An image of a gallery opens over the page; arrow keys and a click on it show the next one.
  $$('.gallery').forEach(gallery => {
    const all = [...gallery.querySelectorAll('a')], box = d.createElement('dialog'), img = new Image(), text = d.createElement('p'),
      close = Object.assign(d.createElement('button'), { textContent: '×', ariaLabel: gallery.dataset.close, autofocus: true });
    let at = 0;
    const show = i => {
      const a = all[at = (i + all.length) % all.length];
      img.src = a.href;
      img.alt = box.ariaLabel = a.firstChild.alt || a.ariaLabel;
      text.textContent = a.nextSibling?.textContent ?? '';
    };
    box.className = 'lightbox';
    box.append(img, text, close);
    all.forEach((a, i) => a.addEventListener('click', e => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      show(i);
      d.body.append(box);
      box.showModal();
    }));
    box.addEventListener('keydown', e => {
      const step = Number(e.key === 'ArrowRight') - Number(e.key === 'ArrowLeft');
      if (step) show(at + (getComputedStyle(box).direction === 'rtl' ? -step : step));
    });
    box.addEventListener('click', e => e.target === img ? show(at + 1) : box.close());
    box.addEventListener('close', () => all[at].focus());
  });

  $$('.compare>input').forEach(i => {
    const move = () => i.parentNode.style.setProperty('--at', i.value + '%');
    i.addEventListener('input', move);
    move();
  });
})();
