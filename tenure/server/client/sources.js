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
  'content/publications.yaml': 'Selected papers, extras',
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
    path === 'content/publications.yaml',
    list >= 0,
    !isPage(path) && path !== 'site.yaml',
    path === 'site.yaml',
    true,
  ];
  return places.indexOf(true) * 100 + list + 1 + (splitLanguage(path)[1] ? 0.5 : 0);
};

/** The level of the worst problem of each file. @param {{file: string, level: string}[]} problems @returns {Record<string, string>} */
export const findLevels = problems => {
  const inOrder = problems.toSorted((a, b) => Number(a.level === 'error') - Number(b.level === 'error'));
  return Object.fromEntries(inOrder.map(({ file, level }) => [file, level]));
};

/** Show the sources as buttons, the current one pressed, and two for the languages and for the design. @param {HTMLElement} nav @param {{paths: string[], names: Record<string, string>, current: string, levels?: Record<string, string>}} state @param {(path: string) => void} onOpen @param {() => void} onDesign */
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
        className: isBelow(path) || path === 'content/publications.yaml' ? 'page' : '',
        'aria-current': path === current ? 'true' : undefined,
        onclick: () => onOpen(path),
      },
      make('span', {}, nameSource(path, names), ...mark),
      make('small', {}, path.replace(/^content\/|^bib\//, '')),
    );
  });
  const makePart = (text, path, onclick) =>
    make(
      'button',
      { type: 'button', 'data-path': path, onclick, 'aria-current': path === current ? 'true' : undefined },
      make('span', {}, text),
    );
  const parts = [makePart('Languages', 'languages', () => onOpen('languages')), makePart('Design', 'design', onDesign)];
  const all = [...buttons, ...parts];
  nav.replaceChildren(...all);
  // One stop of the Tab key; the arrows go on.
  for (const button of all) button.tabIndex = -1;
  (buttons.find(button => button.hasAttribute('aria-current')) ?? all[0]).tabIndex = 0;
  nav.onkeydown = event => moveFocus(event, all);
  all.find(button => button.dataset.path === focused)?.focus();
};

/** Move the focus in a list by the arrow keys. @param {KeyboardEvent} event @param {HTMLElement[]} all */
const moveFocus = (event, all) => {
  const at = all.findIndex(one => one === document.activeElement);
  const move = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key];
  if (move === undefined) return;
  event.preventDefault();
  all.at(move % all.length)?.focus();
};

/** Ask for the title of a new page in the menu. @param {HTMLElement} menu @param {(title: string) => any} onTitle */
const askTitle = (menu, onTitle) => {
  const input = make('input', { required: true });
  const take = event => {
    event.preventDefault();
    Object.assign(menu, { open: false });
    onTitle(input.value.trim());
  };
  const form = make(
    'form',
    { onsubmit: take },
    make('label', {}, 'Title of the page ', input),
    make('button', {}, 'Add the page'),
  );
  menu.querySelector('div')?.replaceChildren(form);
  input.focus();
};
/** The file of a page that is not there yet. @param {string} stem @param {string[]} paths */
export const namePage = (stem, paths) => {
  let [path, number] = [`content/pages/${stem || 'page'}.md`, 1];
  while (paths.includes(path)) path = `content/pages/${stem || 'page'}-${(number += 1)}.md`;
  return path;
};

/** Close a menu on a click elsewhere, also in a frame. @param {HTMLElement} menu */
const closeOnClickElsewhere = menu => {
  const close = () => Object.assign(menu, { open: false });
  document.addEventListener('pointerdown', ({ target }) => menu.contains(/** @type {Node} */ (target)) || close());
  addEventListener('blur', () => document.activeElement?.matches('iframe') && close());
};

/** Show what can be added to a site, a button each; a page is added by its title. @param {HTMLElement} menu a `details` @param {string[]} paths @param {(path: string, title?: string) => any} onAdd */
export const showAdditions = (menu, paths, onAdd) => {
  const buttons = listNewFiles(paths).map(([name, path]) => {
    const add = () => {
      if (!path) return askTitle(menu, title => onAdd(path, title));
      Object.assign(menu, { open: false });
      return onAdd(path);
    };
    return make('button', { type: 'button', onclick: add }, name);
  });
  // What did not change is not drawn again, so that the focus stays.
  const listed = listNewFiles(paths).join('\n');
  menu.ontoggle = () => {
    showAdditions(menu, paths, onAdd);
    if (menu.matches('[open]')) menu.querySelector('div')?.scrollIntoView({ block: 'nearest' });
  };
  menu.onkeydown = event => {
    const { key } = event,
      summary = /** @type {HTMLElement} */ (menu.querySelector('summary'));
    if (key === 'Escape') {
      Object.assign(menu, { open: false });
      summary.focus();
    } else moveFocus(event, [...menu.querySelectorAll('button')]);
  };
  if (menu.dataset.listed === listed && (menu.matches('[open]') || !menu.querySelector('form'))) return;
  if (!menu.dataset.listed) closeOnClickElsewhere(menu);
  menu.dataset.listed = listed;
  menu.querySelector('div')?.remove();
  menu.append(make('div', {}, ...buttons));
};

/** What can be added to a site: its name and its file, which may be there already; a page has none yet. @param {string[]} paths @returns {[string, string][]} */
const listNewFiles = paths => {
  const lists = LISTS.filter(name => !paths.some(path => path.startsWith(`content/${name}/`)));
  const find = (start, otherwise) => paths.find(path => path.startsWith(start)) ?? otherwise;
  /** @type {[string, string][]} */
  const added = [
    ['A text about you', 'content/about.md'],
    ...lists.map(
      name =>
        /** @type {[string, string]} */ ([label(name), find(`content/${name}.y`, `content/${name}.yaml`)]),
    ),
    ['Papers', find('bib/', 'bib/papers.bib')],
    ['A page', ''],
  ];
  return added.filter(([, path]) => path !== 'content/about.md' || !paths.includes(path));
};
