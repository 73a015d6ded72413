// The helpers of layout.txt; `theme` is the name of the theme.
const $ = name => document.querySelector(name), $$ = name => [...document.querySelectorAll(name)];
const box = one => one.getBoundingClientRect(), boxes = name => $$(name).map(box);
const seen = one => one.checkVisibility({visibilityProperty: true}) && box(one).width > 0 && box(one).height > 0;
const shown = name => $$(name).filter(seen), top = one => box(one).top + scrollY;
const css = (one, name) => getComputedStyle(typeof one === 'string' ? $(one) : one)[name];
const near = (one, other, limit) => Math.abs(one - other) < limit, between = (low, one, high) => low <= one && one <= high;
const wide = () => document.documentElement.scrollWidth, high = () => document.documentElement.scrollHeight;
const spread = all => Math.max(...all) - Math.min(...all);
const menuRows = () => new Set(shown('header.site li').map(one => Math.round(box(one).top))).size;
const chip = () => css('.facet input:not(:checked)+span', 'borderTopWidth');

const contrast = name => {
  const draw = color => {
    const brush = document.createElement('canvas').getContext('2d', {colorSpace: 'srgb'});
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map(v => v / 255)
      .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const [dark, light] = [css(name, 'borderTopColor'), css('body', 'backgroundColor')].map(draw).sort((a, b) => a - b);
  return (light + .05) / (dark + .05);
};

// The elements without an outline and without a border that is seen.
const bare = name => $$(name).filter(one => {
  const style = getComputedStyle(one);
  if (parseFloat(style.outlineWidth) > 0 && style.outlineStyle === 'solid') return false;
  return !(parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle === 'solid' && style.borderTopColor !== 'rgba(0, 0, 0, 0)');
});

// How the element with a number and those in it are marked, apart from colors of grounds.
const marks = (name, number) => [$$(name)[number], ...$$(name)[number].querySelectorAll('*')].map(one => {
  const style = getComputedStyle(one);
  return [style.outlineStyle, style.textDecorationLine, style.fontWeight, style.borderBottomColor].join();
}).sort().join(' ');

const textGap = () => {
  const [first, second] = boxes('.s-prose, .s-news'), photo = $('.cover') ?? $('.portrait'), contacts = $('.contact');
  return second.top - Math.max(first.bottom, photo ? box(photo).bottom : 0, contacts ? box(contacts).bottom : 0);
};
const rowsAreLevel = name => boxes(name).every((a, _, all) => all.every(b =>
  Math.abs(a.x - b.x) <= 40 || Math.abs(a.y - b.y) >= 40 || Math.round(a.y - b.y) === 0));
const fillsColumn = one => {
  const columns = css(one.parentElement, 'gridTemplateColumns').split(' ').map(parseFloat);
  return [one.parentElement.clientWidth, ...columns].some(column => near(column, box(one).width, 2))
    || box(one).width >= one.parentElement.clientWidth - 2;
};
const datedRows = () => $$('.dated>li:has(>.when)').map(row => {
  const [date, words] = ['.when', '.what'].map(part => box(row.querySelector(part)));
  return [words.top - date.top, date.left - words.left];
});
const select = one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range;
};
const lines = one => new Set([...select(one).getClientRects()].map(part => Math.round(part.top))).size;
const firstLetters = one => {
  const range = document.createRange(), text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
  range.setStart(text, 0);
  range.setEnd(text, 5);
  return range.getBoundingClientRect();
};
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const headingIsFree = () => $('.s-prose h2').innerText !== ''
  && !$$('.contact, .portrait').some(one => overlap(box(one), box($('.s-prose h2'))));
const buttonIsFree = () => {
  const {left, right, top, bottom} = box($('#theme-switch'));
  const inner = {left: left + 4, right: right - 4, top: top + 4, bottom: bottom - 4};
  const words = $$('header.site :is(li a,.site-name)').map(one => {
    const {left, right, top, bottom} = box(one), end = one.closest('nav');
    return {left, top, bottom, right: Math.min(right, end ? box(end).right : 9999)};
  });
  return top < 90 && right <= innerWidth && !words.some(one => overlap(one, inner));
};
const listsAreAlike = () => {
  const [line, entry, lineText, entryText] = ['.when', '.dates', '.what', '.entry .org'].map(name => box($(name)));
  const above = [[line, lineText], [entry, entryText]].map(([dates, words]) => dates.top < words.top - 9);
  return (line.left === entry.left || line.right === entry.right) && lineText.left === entryText.left && above[0] === above[1];
};
const cardsFill = grid => {
  const cards = [...grid.querySelectorAll('.card')].map(box);
  return near(Math.min(...cards.map(one => one.left)), box(grid).left, 2)
    && near(Math.max(...cards.map(one => one.right)), box(grid).right, 2);
};
const areApart = all => all.length > 0 && all.sort((one, other) => one.top - other.top || one.bottom - other.bottom)
  .every((one, index) => index === 0 || all[index - 1].bottom <= one.top + 4);

// Pictures: none is cut or stretched, and none is drawn larger than its file, whose name has its width.
const isDrawing = one => one.getAttribute('src').includes('.svg');
const isWhole = one => ['scale-down', 'contain'].includes(css(one, 'objectFit'))
  || near(box(one).width / box(one).height / (one.getAttribute('width') / one.getAttribute('height')), 1, .01);
const fileWidth = one => Number(one.currentSrc.match(/-(\d+)\.[0-9a-f]+\.\w+$/)?.[1] ?? one.naturalWidth);
const isSharp = one => isDrawing(one) || box(one).width <= fileWidth(one) + 1;

// The rows of a gallery: the pictures that begin at one height.
const galleryRows = () => Object.values(Object.groupBy($$('.gallery>.media'), one => Math.round(box(one).top)))
  .map(row => row.map(one => box(one.querySelector('img, video'))));
const galleryIsLevel = () => galleryRows().length > 0 && galleryRows().every(row => spread(row.map(one => one.height)) <= 1);
const galleryIsInside = () => boxes('.gallery :is(img,video)').every(one => one.left >= 0 && one.right <= innerWidth) && wide() <= innerWidth;
const galleryIsLarge = () => {
  const [[first]] = galleryRows();
  return first.height >= 200 || near(first.width, box($('.gallery')).width, 2);
};
const lineGaps = () => $$('.pictured .pub:has(>.thumbnail)').flatMap(one => {
  const lines = [...one.querySelectorAll('.pub-title, .pub-authors, .pub-venue')].map(box);
  return lines.slice(1).map((line, index) => line.top - lines[index].bottom);
});
