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
