(() => {
  const d = document, $$ = s => d.querySelectorAll(s);

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
