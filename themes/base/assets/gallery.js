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
      image.alt = dialog.ariaLabel = link.firstChild.alt || link.ariaLabel;
      caption.textContent = link.nextSibling?.textContent ?? '';
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
})();
