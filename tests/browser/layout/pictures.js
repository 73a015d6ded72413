// Pictures: none is cut or stretched, and none is drawn larger than its file, whose name has its width.

const RATIO = .01; // by which the ratio of a picture may differ from that of its file
const ROW_HEIGHTS = 1; // by which the heights of a row of a gallery may differ
const LARGE = 200; // the least height of the first picture of a gallery that is not as wide as the gallery
const SEVERAL = 2; // a list has more pictures
const DRAWINGS = 3; // the page of projects has more
const GAPS = 3; // a list of papers with pictures has more
const AT_EDGE = 2;
const IN_MIDDLE = 4; // by which the two sides of a picture may differ
const LINE_GAPS = 2; // by which the gaps between the lines of papers may differ

const isDrawing = one => one.getAttribute('src').includes('.svg');
const isWhole = one => {
  const ofFile = one.getAttribute('width') / one.getAttribute('height');
  const ofBox = box(one).width / box(one).height;
  return ['scale-down', 'contain'].includes(css(one, 'objectFit')) || near(ofBox / ofFile, 1, RATIO);
};
const fileWidth = one => Number(one.currentSrc.match(/-(\d+)\.[0-9a-f]+\.\w+$/)?.[1] ?? one.naturalWidth);
const isSharp = one => isDrawing(one) || box(one).width <= fileWidth(one) + 1;

const fillsColumn = one => {
  const room = one.parentElement.clientWidth;
  const columns = css(one.parentElement, 'gridTemplateColumns').split(' ').map(parseFloat);
  const {width} = box(one);
  return width >= room - AT_EDGE || columns.some(column => near(column, width, AT_EDGE));
};
const pictureIsPlaced = () => {
  const picture = box($('.picture'));
  const main = box($('main'));
  if (['plate', 'stage'].includes(theme)) {
    return near(picture.left + picture.right, main.left + main.right, IN_MIDDLE);
  }
  return between(main.left - 1, picture.left, picture.right) && picture.right <= main.right + 1;
};
const bandIsWhole = () => {
  const hero = box($('.paper-hero'));
  const way = box($('.paper-hero>.crumb'));
  const title = box($('.paper-hero>h1'));
  return hero.top <= way.top && way.top < title.bottom && title.bottom <= hero.bottom;
};
const lineGaps = () => $$('.pictured .pub:has(>.thumbnail)').flatMap(one => {
  const lines = [...one.querySelectorAll('.pub-title, .pub-authors, .pub-venue')].map(box);
  return lines.slice(1).map((line, index) => line.top - lines[index].bottom);
});

// The rows of a gallery: the pictures that begin at one height.
const galleryRows = () => {
  const rows = Object.groupBy($$('.gallery>.media'), one => Math.round(box(one).top));
  return Object.values(rows).map(row => row.map(one => box(one.querySelector('img, video'))));
};
const galleryIsLevel = () => galleryRows().length > 0
  && galleryRows().every(row => spread(row.map(one => one.height)) <= ROW_HEIGHTS);
const galleryIsInside = () => wide() <= innerWidth
  && boxes('.gallery :is(img,video)').every(one => one.left >= 0 && one.right <= innerWidth);
const galleryIsLarge = () => {
  const [[first]] = galleryRows();
  return first.height >= LARGE || near(first.width, box($('.gallery')).width, AT_EDGE);
};

const gallery = [
  rule('the pictures of a row of the gallery have one height', galleryIsLevel),
  rule('the gallery is inside the window', galleryIsInside),
  rule('the first picture of the gallery is large', galleryIsLarge),
  resize(390),
  rule('the pictures of a row of the gallery have one height on a phone', galleryIsLevel),
  rule('the gallery is inside a phone', galleryIsInside),
  rule('the first picture of the gallery is large on a phone', galleryIsLarge),
  resize(320),
  rule('the gallery is inside a small phone', galleryIsInside),
];
const severalPictures = name => [
  rule('pictures are whole', () => $$(name).length > SEVERAL && $$(name).every(isWhole)),
  rule('pictures are not larger than their files', () => $$(name).filter(one => one.complete).every(isSharp)),
  resize(390),
  rule('pictures are whole on a phone', () => $$(name).every(isWhole)),
];
const onePicture = (title, name) => {
  const isKept = () => isWhole($(name)) && isSharp($(name));
  return [
    rule(`${title} is whole and not larger than its file`, isKept),
    resize(390),
    rule(`${title} is whole and not larger than its file on a phone`, isKept),
  ];
};
const firstPicture = onePicture('the first picture', '.pubs .pub:first-child .thumbnail img');

visit('turing', 'projects/', 1280, [
  rule('pictures are as wide as their column', () => $$('.project .picture[src$=".svg"]').length > DRAWINGS
    && $$('.project .picture').every(fillsColumn)),
  show('dark'),
  rule('a picture is not dimmed', () => css('.project .picture[src$=".svg"]', 'filter') === 'none'),
]);

visit('turing', 'projects/ace/', 1280, 'looks', [
  rule('a picture is in the middle or in the text', pictureIsPlaced),
  rule('one band is behind the way and the title', () => theme !== 'stage' || bandIsWhole()),
]);

visit('roboticist', 'projects/dune-walker/', 1280, 'looks', gallery);

visit('roboticist', 'publications/wen2026slips/', 1280, 'looks', gallery);

visit('meadow', 'publications/marchetti2026mowing/', 1280, 'looks', gallery);

visit('poet', 'books/', 1280, 'looks', severalPictures('.whole'));

visit('poet', '', 1280, 'looks', severalPictures('.whole'));

visit('roboticist', 'publications/', 1280, 'looks', [
  ...severalPictures('.thumbnail img'),
  rule('the lines of papers with pictures have even gaps', () =>
    lineGaps().length > GAPS && spread(lineGaps()) <= LINE_GAPS),
]);

visit('meadow', '', 1280, 'plate stage', severalPictures('.thumbnail img'));

visit('roboticist', '', 1280, 'plate', onePicture('the cover', '.cover img'));

visit('roboticist', '', 1280, 'stage', firstPicture);

visit('meadow', '', 1280, 'stage', firstPicture);
