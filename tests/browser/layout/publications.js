// Lists of publications: the filters and the search, what is on the first screen, and what a line says.

const PUBLICATIONS = 29; // of the site turing
const STARTS_ON_PHONE = 530; // where the first publication begins, in pixels from the top of the page
const TITLE_ON_PHONE = 330; // where its title begins, in themes with letters of their own
const TITLE_ON_DESKTOP = 300;
const ON_FIRST_SCREEN = 4; // whole publications
const TOUCHED = 24; // the least height of what is touched
const MENU_ROWS_BELOW_DESKTOP = 2;
const MENU_INDENT = 16; // the most by which the menu begins beside the heading
const NAME_LINES = 3; // the name of the site has fewer lines
const CHOICE_CONTRAST = 3; // WCAG 1.4.11
const FOUND = [6, 19]; // publications with a word that begins with “logic”
const DENSE_ON_DESKTOP = 5100; // the height of the page of unpictured
const DENSE_ON_PHONE = 6200;
const LEGEND_GAP = [4, 44]; // between the legend and its list
const SINGLE_AUTHORS = 20; // the site unpictured has more
const FILTERS = 3;
const BOLD = '600';
const LINKS = 2; // the most links of a paper in a list
const SAME_LINE = 8; // what begins at heights that differ by less is on one line
const BESIDE = 12; // and this is beside a picture
const AT_END = 1;

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
  const colors = [css(name, 'borderTopColor'), css('body', 'backgroundColor')];
  const [dark, light] = colors.map(draw).sort((a, b) => a - b);
  return (light + .05) / (dark + .05);
};
const choicesAreSeen = () => chip() === '1px'
  ? contrast('.facet input:not(:checked)+span') >= CHOICE_CONTRAST
  : css('.facet input:not(:checked)+span', 'borderTopStyle') === 'none';

const tripleMenu = () => $$('header.site ul:has(>li)').slice(0, 1).forEach(menu =>
  [...menu.children, ...menu.children].forEach(entry => menu.append(entry.cloneNode(true))));
const menuBeginsWithPage = () =>
  near(Math.min(...shown('header.site li').map(one => box(one).left)), box($('h1')).left, MENU_INDENT);

const listRepeatedYears = () => $$('.group').flatMap(group => {
  const year = group.firstElementChild.textContent.trim();
  return [...group.querySelectorAll('.pub-venue')].filter(line => line.textContent.endsWith(year));
});
const hasMargin = () => variable(document.body, '--margin') !== '';
const pictureEndsWithList = () => near(box($('.thumbnail')).left, box($('.pubs')).left, AT_END)
  || near(box($('.thumbnail')).right, box($('.pubs')).right, AT_END);

visit('turing', 'publications/', 390, [
  rule('all publications', () => $$('.pub').length === PUBLICATIONS),
  rule('a publication is on the first screen', () => top($('.pub')) < STARTS_ON_PHONE),
  rule('the filters are folded', () => !seen($('.facet'))),
  click('.facets summary'),
  rule('the filters can be opened', () => seen($('.facet'))),
  open('publications/?kind=article'),
  rule('a filter that is in use is shown', () => seen($('.facet'))),
  open('publications/'),
  press('Tab'),
  rule('the link to the content can be touched', () => box($('.skip')).height >= TOUCHED),
  rule('the link to the content covers nothing', () =>
    box($('.skip')).bottom <= box($('header.site')).top + 1),
]);

visit('turing', 'publications/', 1280, [
  rule('the filters are folded', () => $$('.facet').length === FILTERS && !$$('.facet').some(seen)),
  rule('the menu is one line', () => menuRows() === 1),
  run(tripleMenu),
  rule('a long menu is in lines', () => wide() === 1280),
  rule('a long menu leaves room for the name', () =>
    $('.site-name').offsetHeight < NAME_LINES * parseFloat(css('.site-name', 'lineHeight'))),
  open('publications/'),
  resize(390),
  rule('the menu has at most two lines at 390', () => menuRows() <= MENU_ROWS_BELOW_DESKTOP),
  rule('the menu begins where the page begins at 390', menuBeginsWithPage),
  resize(768),
  rule('the menu has at most two lines at 768', () => menuRows() <= MENU_ROWS_BELOW_DESKTOP),
  rule('the menu begins where the page begins at 768', menuBeginsWithPage),
  resize(1280),
  click('.facets summary'),
  rule('all filters can be opened', () => $$('.facet').every(seen)),
  show('light'),
  rule('the borders of choices are seen in light', choicesAreSeen),
  show('dark'),
  rule('the borders of choices are seen in dark', choicesAreSeen),
  fill('#pub-filter [name=q]', 'logic'),
  rule('a search finds some', () => between(FOUND[0], shown('.pub').length, FOUND[1])),
  rule('a search finds words where they begin', () =>
    shown('.pub').every(one => /logic/i.test(one.innerText) && !one.innerText.includes('Biological'))),
  rule('a search shows what was found', () => shown('.found-topics')[0].innerText === 'Topic: logic'),
  fill('#pub-filter [name=q]', ''),
  rule('an empty search shows no topics', () => shown('.found-topics').length === 0),
  show('forced'),
  rule('the choice that is made is marked, also without its box', () =>
    (marks('.facet label', 0) !== marks('.facet label', 1)) === (css('.facet input', 'opacity') !== '1')),
]);

visit('unpictured', 'publications/', 1280, [
  rule('a list of papers is dense', () => high() <= DENSE_ON_DESKTOP),
  rule('the name of a single author is not bold below a bold title', () =>
    $$('.solo .me').length > SINGLE_AUTHORS
    && $$('.solo .me').every(one => css(one, 'fontWeight') === '400')),
  rule('the own name among others is bold', () => css('.pub-authors:not(.solo) .me', 'fontWeight') >= BOLD),
  rule('a single author is on the line of the venue', () => css('.pub', 'display') === 'grid'
    || near(box($('.solo .me')).top, box($('.solo+.pub-venue')).top, SAME_LINE)),
  rule('the year of the heading is not repeated', () => listRepeatedYears().length === 0),
  resize(390),
  rule('a list of papers is dense on a phone', () => high() <= DENSE_ON_PHONE),
]);

visit('group', 'publications/', 390, [
  rule('thumbnails are beside their publication', () => !$('.pictured')
    || near(box($('.pub:has(.thumbnail) .pub-title')).top, box($('.thumbnail')).top, BESIDE)),
  resize(1280),
  rule('a picture ends where the list ends, if it is not in a margin', () =>
    !$('.pictured') || hasMargin() || pictureEndsWithList()),
]);

visit('systems-phd-2026', 'publications/', 1280, [
  rule('the legend is near its list, and apart from it', () => {
    const legend = $('.legend');
    const gap = box(legend.nextElementSibling).top - box(legend).bottom;
    return between(LEGEND_GAP[0], gap, LEGEND_GAP[1]);
  }),
]);

visit('lists', 'publications/', 1280, 'looks', [
  rule('a publication without a picture has no box', () => $$('.thumbnail').length === 1),
]);

visit('turing', 'publications/', 390, 'looks', [
  rule('the list begins with papers on a phone', () => top($('.pub-title')) <= TITLE_ON_PHONE),
  resize(1280),
  rule('the list begins with papers', () => top($('.pub-title')) <= TITLE_ON_DESKTOP),
  rule('four papers are on the first screen', () =>
    boxes('.pub').filter(one => one.bottom <= innerHeight).length >= ON_FIRST_SCREEN),
  rule('the year is beside the papers', () => box($('.group-title')).right <= box($('.pub')).left + 1),
  rule('no number is on a picture', () => shown('.pictured .pub-n').length === 0),
  rule('a paper has at most two links', () =>
    $$('.pub').every(one => one.querySelectorAll('.pub-links>a').length <= LINKS)),
]);

visit('some-lab', 'publications/', 1280, 'looks', [
  rule('the authors of a group are not louder than the titles', () =>
    $$('.me').map(one => css(one, 'fontWeight')).join() === '400,400'),
]);
