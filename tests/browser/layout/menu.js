// The menu: in a row, at the side, and the buttons beside it.

const BUTTON_STARTS = 90; // the buttons begin above this
const BUTTON_EDGE = 4; // by which a button may reach into a word
const TEXT_WIDTH = {1280: 520, 768: 480, 390: 320}; // at least, by the width of the window

const buttonIsFree = () => {
  const {left, right, top: upper, bottom} = box($('#theme-switch'));
  const inner = {
    left: left + BUTTON_EDGE,
    right: right - BUTTON_EDGE,
    top: upper + BUTTON_EDGE,
    bottom: bottom - BUTTON_EDGE,
  };
  const words = $$('header.site :is(li a,.site-name)').map(one => {
    const word = box(one);
    const menu = one.closest('nav');
    const end = menu ? box(menu).right : Infinity; // what a row that scrolls hides is not there
    return {left: word.left, top: word.top, bottom: word.bottom, right: Math.min(word.right, end)};
  });
  return upper < BUTTON_STARTS && right <= innerWidth && !words.some(one => overlap(one, inner));
};
const fits = () => wide() <= innerWidth;
const menuIsAtSide = () => seen($('#side-menu')) && fits();
const menuIsAbove = () => !seen($('#side-menu')) && fits();
const textIsWide = () => box($('.prose > p')).width >= TEXT_WIDTH[innerWidth];

const menuOfThreeWindows = [
  rule('the menu is at the side', menuIsAtSide),
  resize(768),
  rule('the menu is above the text', menuIsAbove),
  resize(390),
  rule('the page does not scroll sideways on a phone', menuIsAbove),
];

visit('portrait', 'talks/', 320, [
  rule('the buttons are at the top beside a long name at 320', buttonIsFree),
  resize(390),
  rule('the buttons are at the top beside a long name at 390', buttonIsFree),
  resize(768),
  rule('the buttons are at the top beside a long name at 768', buttonIsFree),
  resize(1280),
  rule('the buttons are at the top beside a long name at 1280', buttonIsFree),
]);

visit('side', '', 1280, 'margin plate stage', menuOfThreeWindows);

visit('side', 'talks/', 1280, 'margin plate stage', menuOfThreeWindows);

visit('side', 'posts/shapes/', 1280, 'margin plate stage', [
  rule('the menu is at the side', menuIsAtSide),
  rule('the text keeps its width', textIsWide),
  resize(768),
  rule('the menu is above the text', menuIsAbove),
  rule('the text keeps its width at 768', textIsWide),
  resize(390),
  rule('the page does not scroll sideways on a phone', menuIsAbove),
  rule('the text keeps its width on a phone', textIsWide),
]);

visit('turing', '', 390, 'looks', [
  rule('the menu of a phone is one row', () => menuRows() === 1),
  rule('the CV is in the row', () => seen($('header.site nav>ul>li>a[href*="cv/"]'))),
  rule('no entry of the menu is out of view', () =>
    shown('header.site li').every(one => box(one).right <= box($('.tools')).left + 1)),
  click('.menu-rest summary'),
  rule('every page of the menu can be reached', () =>
    shown('header.site nav a').length === new Set($$('header.site nav a').map(one => one.href)).size),
]);
