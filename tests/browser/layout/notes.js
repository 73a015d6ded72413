// Notes in the margin: none is over another one, over a date or over the photo.

const MARGIN = 700; // what begins to the right of this is in the margin
const TOUCH = 4; // by which the lines of two notes may touch

const areApart = all => {
  const sorted = all.toSorted((one, other) => one.top - other.top || one.bottom - other.bottom);
  return all.length > 0 && sorted.slice(1).every((one, index) => sorted[index].bottom <= one.top + TOUCH);
};
const inMargin = () =>
  shown('main :is(.sidenote, .when, .portrait)').map(box).filter(one => one.left > MARGIN);
const notes = [
  rule('notes are not over each other or over dates', () => areApart(inMargin())),
];

visit('montaigne', '', 1280, 'margin', notes);

visit('montaigne', 'posts/de-l-amitie/', 1280, 'margin', notes);

visit('montaigne', 'posts/des-cannibales/', 1280, 'margin', notes);

visit('montaigne', 'voyage/', 1280, 'margin', notes);
