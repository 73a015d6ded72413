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
})();
