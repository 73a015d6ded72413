// What the files in layout/ are written with: visits, their steps and rules, and what a rule asks of a page.
// `theme` is the name of the theme.

const visits = [];
// A page in a window of a width, in all themes or in those named; 'looks' have letters of their own.
const visit = (site, path, width, ...rest) => visits.push({site, path, width, steps: rest.at(-1)});
const rule = (name, isKept) => ({kind: 'rule', words: [name], isKept});

const open = path => ({kind: 'open', words: [path]});
const click = selector => ({kind: 'click', words: [selector]});
const fill = (selector, text) => ({kind: 'fill', words: [selector, text]});
const press = key => ({kind: 'press', words: [key]});
const resize = width => ({kind: 'resize', words: [width]});
const show = media => ({kind: 'show', words: [media]}); // 'light', 'dark', 'print' or 'forced' (colors)
const run = action => ({kind: 'run', words: [], action});

// The names of the rules that are not kept.
const listBroken = steps => steps.flatMap(({words: [name], isKept}) => {
  try {
    return isKept() === true ? [] : [name];
  } catch (error) {
    return [`${name}: ${error}`];
  }
});

const $ = name => document.querySelector(name);
const $$ = name => [...document.querySelectorAll(name)];
const box = one => one.getBoundingClientRect();
const boxes = name => $$(name).map(box);
const top = one => box(one).top + scrollY;
const seen = one => one.checkVisibility({visibilityProperty: true})
  && box(one).width > 0 && box(one).height > 0;
const shown = name => $$(name).filter(seen);
const css = (one, name) => getComputedStyle(typeof one === 'string' ? $(one) : one)[name];
const variable = (one, name) => getComputedStyle(one).getPropertyValue(name);
const wide = () => document.documentElement.scrollWidth;
const high = () => document.documentElement.scrollHeight;

const near = (one, other, limit) => Math.abs(one - other) < limit;
const between = (least, one, most) => least <= one && one <= most;
const spread = all => Math.max(...all) - Math.min(...all);
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const menuRows = () => new Set(shown('header.site li').map(one => Math.round(box(one).top))).size;

// How the element with a number and those in it are marked, apart from colors of grounds.
const marks = (name, number) => [$$(name)[number], ...$$(name)[number].querySelectorAll('*')].map(one => {
  const style = getComputedStyle(one);
  return [style.outlineStyle, style.textDecorationLine, style.fontWeight, style.borderBottomColor].join();
}).sort().join(' ');

// The elements without an outline and without a border that is seen.
const bare = name => $$(name).filter(one => {
  const style = getComputedStyle(one);
  const hasOutline = parseFloat(style.outlineWidth) > 0 && style.outlineStyle === 'solid';
  const hasBorder = parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle === 'solid'
    && style.borderTopColor !== 'rgba(0, 0, 0, 0)';
  return !hasOutline && !hasBorder;
});
