// The sources of a site by the names that its pages show: “Profile”, “Education”, “Papers”; the names of files are small.
import { label, make } from './elements.js';
import { nameLanguage } from './texts.js';

/** The lists that a site may have, in the order of its pages. */
const LISTS = [
  'education',
  'experience',
  'projects',
  'talks',
  'awards',
  'teaching',
  'service',
  'news',
  'people',
];
const NAMES = {
  'content/profile.yaml': 'Profile',
  'site.yaml': 'Pages',
  'content/publications.yaml': 'More about papers',
  'content/coauthors.yaml': 'Co-authors',
  'content/counts.yaml': 'Citation counts',
};
const isSource = path => path === 'site.yaml' || /^content\/.*\.(ya?ml|md|markdown)$|\.bib$/.test(path);
const isPage = path => /^content\/(pages|posts)\//.test(path),
  isBelow = path => /^content\/[^/]+\//.test(path);
/** A text and its language: "content/about.de.md" -> "content/about.md", "de". */
const splitLanguage = path => {
  const [, stem, language = '', ending] = path.match(/^(.*?)(?:\.([A-Za-z]{2,3}(?:-\w+)?))?(\.\w+)$/) ?? [
    '',
    path,
  ];
  return [stem + (ending ?? ''), language];
};

/** The name of a source. @param {string} path @param {Record<string, string>} names those that the site shows */
export const nameSource = (path, names) => {
  if (path.endsWith('.bib')) return 'Papers';
  const [original, language] = splitLanguage(path),
    stem = original.replace(/^.*\/|\.\w+$/g, '');
  const name = NAMES[original] ?? (names[original] || label(stem));
  return language ? `${name} (${nameLanguage(language)})` : name;
};

/** The place of a source in the navigation. */
const rankSource = path => {
  const list = LISTS.indexOf(path.split('/')[1]?.replace(/\.\w+$/, '') ?? '');
  const places = [
    path === 'content/profile.yaml',
    path.startsWith('content/about.'),
    path.endsWith('.bib'),
    list >= 0,
    !isPage(path) && path !== 'site.yaml',
    path === 'site.yaml',
    true,
  ];
  return places.indexOf(true) * 100 + list + 1 + (splitLanguage(path)[1] ? 0.5 : 0);
};

/** Show the sources as buttons, the current one pressed, and a last one for the design. @param {HTMLElement} nav @param {{paths: string[], names: Record<string, string>, current: string, levels?: Record<string, string>}} state @param {(path: string) => void} onOpen @param {() => void} onDesign */
export const showSources = (nav, { paths, names, current, levels = {} }, onOpen, onDesign) => {
  const focused = nav.querySelector(':focus')?.getAttribute('data-path');
  const shown = paths.filter(isSource).toSorted((a, b) => rankSource(a) - rankSource(b));
  const buttons = shown.map(path => {
    const mark = levels[path] ? [make('span', { className: `mark ${levels[path]}` }, ` ● `)] : [];
    return make(
      'button',
      {
        type: 'button',
        'data-path': path,
        className: isBelow(path) ? 'page' : '',
        'aria-current': path === current ? 'true' : undefined,
        onclick: () => onOpen(path),
      },
      make('span', {}, nameSource(path, names), ...mark),
      make('small', {}, path.replace(/^content\/|^bib\//, '')),
    );
  });
  const design = make(
    'button',
    { type: 'button', 'data-path': '', onclick: onDesign },
    make('span', {}, 'Design'),
  );
  const all = [...buttons, design];
  nav.replaceChildren(...all);
  // One stop of the Tab key; the arrows go on.
  for (const button of all) button.tabIndex = -1;
  (buttons.find(button => button.hasAttribute('aria-current')) ?? all[0]).tabIndex = 0;
  nav.onkeydown = event => {
    const at = all.findIndex(button => button === document.activeElement);
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    all.at(move % all.length)?.focus();
  };
  all.find(button => button.dataset.path === focused)?.focus();
};

/** Show what can be added to a site, a button each. @param {HTMLElement} menu a `details` @param {string[]} paths @param {(path: string) => any} onAdd */
export const showAdditions = (menu, paths, onAdd) => {
  const buttons = listNewFiles(paths).map(([name, path]) => {
    const add = () => {
      Object.assign(menu, { open: false });
      onAdd(path);
    };
    return make('button', { type: 'button', onclick: add }, name);
  });
  // What did not change is not drawn again, so that the focus stays.
  const listed = listNewFiles(paths).join('\n');
  if (menu.dataset.listed === listed) return;
  menu.dataset.listed = listed;
  menu.querySelector('div')?.remove();
  menu.append(make('div', {}, ...buttons));
};

/** What can be added to a site: its name and its file. @param {string[]} paths @returns {[string, string][]} */
const listNewFiles = paths => {
  const lists = LISTS.filter(
    name => !paths.some(path => path.startsWith(`content/${name}.y`) || path.startsWith(`content/${name}/`)),
  );
  const page =
    [1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map(number => `content/pages/page-${number}.md`)
      .find(path => !paths.includes(path)) ?? '';
  return [
    ...(paths.includes('content/about.md')
      ? []
      : [/** @type {[string, string]} */ (['A text about you', 'content/about.md'])]),
    ...lists.map(name => /** @type {[string, string]} */ ([label(name), `content/${name}.yaml`])),
    ...(paths.some(path => path.endsWith('.bib'))
      ? []
      : [/** @type {[string, string]} */ (['Papers', 'bib/papers.bib'])]),
    ['A page', page],
  ];
};
