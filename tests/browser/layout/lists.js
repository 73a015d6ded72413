// Rows with dates, and lists of one look whatever their keys.

const ROWS = 5; // the page of talks has more
const DATE_BESIDE = 100; // dates beside their words begin more than this to the right of them
const VENUE_GAP = 7; // the least gap between the last point and the venue
const ABOVE = 9; // a date that is this much higher than its words is above them

const datedRows = () => $$('.dated>li:has(>.when)').map(row => {
  const [date, words] = ['.when', '.what'].map(part => box(row.querySelector(part)));
  return {down: words.top - date.top, right: date.left - words.left};
});
const datesAreAligned = () => datedRows().every(row => row.down > 1)
  ? datedRows().every(row => Math.round(row.right) === 0)
  : datedRows().every(row => row.right > DATE_BESIDE);
const lines = one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(part => Math.round(part.top))).size;
};
const listsAreAlike = () => {
  const [line, lineText] = ['.when', '.what'].map(name => box($(name)));
  const [entry, entryText] = ['.dates', '.entry .org'].map(name => box($(name)));
  const lineIsAbove = line.top < lineText.top - ABOVE;
  const entryIsAbove = entry.top < entryText.top - ABOVE;
  const datesAgree = line.left === entry.left || line.right === entry.right;
  return datesAgree && lineText.left === entryText.left && lineIsAbove === entryIsAbove;
};

visit('turing', 'talks/', 390, [
  rule('there are rows', () => datedRows().length > ROWS),
  rule('rows begin with their date, or every date is at the end of its row', datesAreAligned),
]);

visit('turing', 'publications/turing1936computable/', 1280, [
  rule('a topic with a page has the color of the others', () => $$('.tags li').length === 2
    && (css('.tags li', 'backgroundColor') === 'rgba(0, 0, 0, 0)'
      || new Set($$('.tags :is(a,li:not(:has(a)))').map(one => css(one, 'color'))).size === 1)),
  rule('the venue and the year of a related publication are one line', () =>
    $$('.dated .when').map(lines).join() === '1,1,1,1'),
]);

visit('projects-page', 'projects/', 1280, [
  rule('the venue is apart from the last point', () => $$('.points+.note').length > 0
    && $$('.points+.note').every(one => box(one).top - box(one.previousElementSibling).bottom >= VENUE_GAP)),
]);

visit('lists', 'lists/', 1280, 'looks', [
  rule('lists look alike whatever their keys', listsAreAlike),
  resize(390),
  rule('lists look alike on a phone', listsAreAlike),
]);
