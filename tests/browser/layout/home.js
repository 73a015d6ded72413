// The first page: its first screen, its headings, its links, and the dark mode that a visitor chooses.

const TEXT_ON_PHONE = 450; // where the first sentence begins below a long name, in pixels from the top
const TEXT_ON_DESKTOP = 420;
const TITLE_STARTS = 40; // the title of a product begins below this
const IMAGE_STARTS = 840; // and its first image above this
const IMAGE_WIDTH = {1280: 800, 768: 576, 390: 292}; // the image is wider, by the width of the window
const SAME_PLACE = 3;

const headingIsFree = () => $('.s-prose h2').innerText !== ''
  && !$$('.contact, .portrait').some(one => overlap(box(one), box($('.s-prose h2'))));
const productIsShown = () => top($('h1')) > TITLE_STARTS && top($('.showcase img')) < IMAGE_STARTS
  && box($('.showcase img')).width > IMAGE_WIDTH[innerWidth];
const listPictures = () =>
  shown('.cover img, .s-publications .thumbnail img').map(one => one.currentSrc || one.src);
const menuPlace = () => {
  const {left, top: upper} = box($$('header.site li')[1]);
  return [left, upper];
};

visit('turing', '', 1280, [
  rule('there are links to lists', () => $$('.h2row a').length > 0),
  show('print'),
  rule('a printed page has no links to other pages', () => shown('.h2row a').length === 0),
  show('light'),
  click('#theme-switch'),
  click('header.site nav a:text("Publications")'),
  rule('a chosen dark mode survives a link', () => location.pathname.endsWith('publications/')
    && document.documentElement.dataset.theme === 'dark'),
]);

visit('lists', '', 1280, 'looks', [
  rule('no icon of a link is before the address', () => seen($('.contact li:last-child > .icon'))),
]);

visit('long-name', '', 390, 'looks', [
  rule('the first sentence is on the first screen below a long name', () =>
    top($('main .s-prose p')) <= TEXT_ON_PHONE),
  rule('the menu of a phone is one row', () => menuRows() === 1),
  resize(1280),
  rule('the first sentence is on the first screen of a desktop', () =>
    top($('main .s-prose p')) <= TEXT_ON_DESKTOP),
  rule('the address is in words', () => seen($('.u-email .word'))),
  rule('a card without a date stands below its heading', () => $$('.brief .entry').length > 0
    && $$('.brief .entry').every(one => box(one).left >= box($('[data-section=projects] h2')).left - 1)),
]);

visit('titled', '', 1280, 'looks', [
  rule('the heading of a first text covers nothing', headingIsFree),
]);

visit('titled-photo', '', 1280, 'looks', [
  rule('the heading of a first text covers no photo', () => headingIsFree() && seen($('.portrait, .cover'))),
]);

visit('turing', '', 1280, 'looks', [
  rule('no picture is shown twice', () => listPictures().length === new Set(listPictures()).size),
  rule('only plate has a cover', () => ($$('.cover').length === 1) === (theme === 'plate')),
  run(() => { sessionStorage.place = menuPlace().map(Math.round).join(' '); }),
  open('publications/turing1936computable/'),
  rule('the menu is at one place', () =>
    sessionStorage.place.split(' ').every((value, index) => near(value, menuPlace()[index], SAME_PLACE))),
  rule('BibTeX has a ground', () =>
    variable($('pre.scroll'), '--ground') !== variable(document.body, '--bg')),
]);

visit('eclipse-1919', '', 1280, 'stage', [
  rule('the title and the first image are on the first screen', productIsShown),
  rule('a mark has no line, which would fill its letters', () =>
    css('.buttons .icon[data-mark]', 'stroke') === 'none'),
  resize(768),
  rule('the title and the first image are on the first screen at 768', productIsShown),
  rule('the page does not scroll sideways at 768', () => wide() <= 768),
  resize(390),
  rule('the title and the first image are on the first screen of a phone', productIsShown),
  rule('the page does not scroll sideways on a phone', () => wide() <= 390),
]);
