// What an import did: what came, and what did not or was changed, by its file.
import { createElement } from './panels.js';

/**
 * Show the report of an import in a panel, until it is closed; without one, hide the panel.
 * @param {HTMLElement} panel
 * @param {{system: string, counts: Record<string, number>, text: string, isClosed?: boolean} | null} report `text` is that of import-report.md
 * @param {(path: string) => (() => void) | null} findOpener what opens a source of the site
 * @param {(report: any) => void} onChange
 */
export const showReport = (panel, report, findOpener, onChange) => {
  const opener = /** @type {HTMLElement} */ (document.getElementById('open-report'));
  panel.hidden = !report || report.isClosed === true;
  opener.hidden = !report;
  if (!report) return;
  const show = isShown => {
    panel.hidden = !isShown;
    (isShown ? close : opener).focus();
    onChange({ ...report, isClosed: !isShown });
  };
  const close = createElement('button', { type: 'button', onclick: () => show(false) }, 'Close');
  opener.onclick = () => show(true);
  // # Import from Jekyll, ## _pages/about.md, - a tag of the template
  const parts = report.text.split('\n## ').slice(1).map(part => part.split('\n').filter(Boolean));
  const count = parts.reduce((sum, part) => sum + part.length - 1, 0), came = Object.entries(report.counts).map(([name, number]) => `${name.replaceAll('-', ' ')} (${number})`);
  panel.replaceChildren(
    createElement('div', { className: 'bar' }, createElement('h2', {}, `Imported from ${report.system}`), close),
    createElement('p', {}, `Came: ${came.join(', ') || 'your name'}.`),
    createElement('p', {}, count ? `Did not come, or was changed (${count}):` : 'Nothing was left out or changed.'),
    ...parts.flatMap(([title, ...lines]) => {
      const open = findOpener(title);
      return [createElement('h3', {}, open ? createElement('button', { type: 'button', onclick: open }, title) : title), createElement('ul', {}, ...lines.map(line => createElement('li', {}, line.slice(2))))];
    }),
  );
};
