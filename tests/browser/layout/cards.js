// People and projects as cards, on their pages and on home.

const PEOPLE = 15; // of the site group
const PEOPLE_ON_DESKTOP = 2300; // the height of their page
const PEOPLE_ON_PHONE = 2800;
const ROWS_OF_PEOPLE = 6; // five people of one role take two of them
const SQUARE = .006; // by which the ratio of a photo may differ from 1
const TEXT_GAP = [.01, 89.9]; // between the text and the news of home, below the picture and the contacts
const TEASERS = 4; // the cards of projects that have an image
const TEASER_RATIO = [1.55, 1.85]; // width to height
const TEXT_WIDTH = 100; // a card without an image is wider
const COLUMN_DISTANCE = 40; // images that begin this far apart are not in one column
const ROW_DISTANCE = 40; // and these are not in one row
const AT_EDGE = 2;

const textGap = () => {
  const [first, second] = boxes('.s-prose, .s-news');
  const beside = [$('.cover') ?? $('.portrait'), $('.contact')].filter(one => one !== null).map(box);
  return second.top - Math.max(first.bottom, ...beside.map(one => one.bottom), 0);
};
const rowsAreLevel = name => boxes(name).every((a, _, all) => all.every(b => {
  const isColumn = Math.abs(a.x - b.x) <= COLUMN_DISTANCE;
  const isOtherRow = Math.abs(a.y - b.y) >= ROW_DISTANCE;
  return isColumn || isOtherRow || Math.round(a.y - b.y) === 0;
}));
const cardsFill = grid => {
  const cards = [...grid.querySelectorAll('.card')].map(box);
  return near(Math.min(...cards.map(one => one.left)), box(grid).left, AT_EDGE)
    && near(Math.max(...cards.map(one => one.right)), box(grid).right, AT_EDGE);
};
const cardsOfProjects = [
  rule('cards show their images', () => boxes('.teaser').length === TEASERS
    && boxes('.teaser').every(one => between(TEASER_RATIO[0], one.width / one.height, TEASER_RATIO[1]))),
  rule('images of a row are at one height', () => rowsAreLevel('.teaser')),
  rule('cards have no list of contents', () => $$('.toc').length === 0),
];

visit('group', 'people/', 1280, [
  rule('people are cards', () => high() <= PEOPLE_ON_DESKTOP && $$('.card').length === PEOPLE),
  rule('photos are squares', () => boxes('.face').every(one => near(one.width / one.height, 1, SQUARE))),
  rule('five cards of a role are two rows', () =>
    new Set(boxes('.face').map(one => Math.round(one.top))).size <= ROWS_OF_PEOPLE),
  rule('people without a photo have initials', () =>
    $$('span.face').map(one => one.innerText).join() === 'AT,C,LF,IS'),
  show('forced'),
  rule('initials keep their edges in forced colors', () => bare('span.face').length === 0),
  show('light'),
  resize(390),
  rule('people are short on a phone', () => high() <= PEOPLE_ON_PHONE),
]);

visit('group', '', 1280, [
  rule('contacts leave no gap in the text', () => between(TEXT_GAP[0], textGap(), TEXT_GAP[1])),
  ...cardsOfProjects,
  run(() => $$('.teaser').forEach(one => one.remove())),
  rule('cards without an image are as wide as their column', () => boxes('.projects .org').length >= TEASERS
    && boxes('.projects .org').every(one => one.width > TEXT_WIDTH)),
]);

visit('group', 'projects/', 1280, cardsOfProjects);

visit('group', 'people/', 1280, 'looks', [
  rule('people are rows as wide as the page', () => cardsFill($$('.cards:has(.card:nth-child(5))').at(-1))),
]);
