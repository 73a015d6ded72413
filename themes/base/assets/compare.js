// The slider between two images sets how much of the first one is visible.
document.querySelectorAll('.compare>input').forEach(slider => {
  const setWidth = () => slider.parentNode.style.setProperty('--at', slider.value + '%');
  slider.addEventListener('input', setWidth);
  setWidth();
});
