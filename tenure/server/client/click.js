// What a click on a page of the site hit, for the editor: the ids around it, its section, and the part of the page.
const CONTROLS = 'tenure-preview, button, input, select, textarea, summary, label, video, audio';

/**
 * What was clicked; null for a control, and for a link that leads to another page: with Alt each link does.
 * @param {MouseEvent} event
 */
export const describeClick = event => {
  const target = /** @type {Element | null} */ (event.target);
  if (event.defaultPrevented || event.button || !target?.closest || target.closest(CONTROLS)) return null;
  const section = target.closest('[data-section]');
  const isOfEntry = target.closest('[data-section] [id], .h-card');
  if (target.closest('a[href]') && (event.altKey || !isOfEntry)) return null;
  const ids = [];
  for (let node = /** @type {Element | null} */ (target); node; node = node.parentElement)
    if (node.id) ids.push(node.id);
  const isFrame = target.closest('body > header, body > footer, body > nav');
  const part = target.closest('.h-card') && !section ? 'profile' : isFrame && !section ? 'site' : '';
  return { ids, section: /** @type {HTMLElement | null} */ (section)?.dataset.section ?? '', part };
};
