// Code and formulas: they scroll, on paper they do not, and no button covers them.

const firstLetters = one => {
  const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, 5);
  return range.getBoundingClientRect();
};
const wideFormulas = () => $$(':has(> math[display=block])');
const shadowsOfScroll = () => css('pre', 'backgroundImage').split('linear-gradient').length - 1;

visit('group', 'projects/tool0/', 390, [
  rule('wide formulas scroll', () => wideFormulas().length > 0
    && wideFormulas().every(one => css(one, 'overflowX') === 'auto')),
  rule('the page does not', () => wide() <= 390),
  rule('code scrolls', () => css('pre', 'whiteSpace') === 'pre' && css('pre', 'overflowX') === 'auto'),
  rule('code shows that it scrolls', () => shadowsOfScroll() === 2),
  rule('code can be scrolled by keyboard', () =>
    $('pre').scrollWidth > $('pre').clientWidth && $('pre').tabIndex === 0),
  rule('a formula stays with the word that it begins', () =>
    $('.prose .nowrap').textContent === 'λ\u2060-calculus.'
    && css('.prose .nowrap', 'whiteSpace') === 'nowrap'),
  show('print'),
  rule('printed code has all its words', () => css('pre', 'whiteSpace') === 'pre-wrap'),
]);

visit('arabic', 'publications/layla2024/', 1280, [
  rule('the button that copies covers no word of the code', () =>
    box($('.bib button')).left > firstLetters($('.bib pre')).right),
  rule('the button is within the box of the code', () => box($('.bib button')).top > box($('.bib pre')).top),
]);

visit('turing', 'publications/turing1952morphogenesis/', 1280, [
  show('forced'),
  rule('buttons and code keep their edges in forced colors', () =>
    $$('.buttons a, pre').length === 3 && bare('.buttons a, pre').length === 0),
  rule('the page that is shown is marked in the menu', () =>
    marks('header.site li a', 1) !== marks('header.site li a', 2)),
]);

visit('lists', 'publications/b/', 1280, 'looks', [
  rule('code that fits does not scroll', () => $('.bib pre').scrollWidth <= $('.bib pre').clientWidth),
]);
