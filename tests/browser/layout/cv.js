// The CV: where a printer may break a page, and the dates and places of entries.

const HEADS = 5; // the CV of turing has more
const SAME_LINE = 4;

visit('turing', 'cv/', 1280, [
  show('print'),
  rule('a list of heads can be broken', () =>
    $$('.entry header:last-child').every(one => css(one, 'breakAfter') === 'auto')),
  rule('no head is broken', () => $$('.entry header').length > HEADS
    && $$('.entry header').every(one => css(one, 'breakInside') === 'avoid')),
  rule('a head stays with its text', () =>
    $$('.section:not(:has(.brief)) .entry header:not(:last-child) :is(.org, .role)')
      .every(one => css(one, 'breakAfter') === 'avoid')),
]);

visit('turing', 'cv/', 390, 'looks', [
  rule('the page begins at its top', () => scrollY === 0),
  rule('dates are apart from places', () =>
    getComputedStyle($('.entry header:has(.place) .dates'), '::after').content.includes('·')),
  rule('date and place are on one line', () => {
    const date = $('.entry header:has(.place) .dates');
    const place = $('.entry header:has(.dates) .place');
    return near(box(date).top, box(place).top, SAME_LINE);
  }),
]);
