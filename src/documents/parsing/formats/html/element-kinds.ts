import type { HtmlAttributes } from './html-tags.js';
import type { PagePart } from './page-flow.js';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that stand on lines of their own and have no other meaning here. */
export const plainBlocks = names(
  'address body center dd details dialog div dl dt fieldset figure form frameset head hgroup html legend noframes optgroup ' +
    'option p search section summary tbody tfoot',
);

/** Elements whose contents nobody sees. */
export const unseen = names(
  'audio canvas datalist iframe noembed noframes noscript object rp script style template video',
);

/** Frames and media, whose contents are somewhere else. */
export const embedded = names('audio embed iframe object video');

/** Blocks that are never part of a heading. */
export const beyondHeadings = names('p ul ol dl table article main section pre blockquote');

const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)\b/i;

/** Whether an element says of itself that it is not shown. A whole page may say so until its scripts have run. */
export function isHidden(name: string, attributes: HtmlAttributes): boolean {
  if (attributes.size === 0 || name === 'html' || name === 'body') return false;
  const hidden = attributes.get('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  return attributes.get('aria-hidden') === 'true' || hiddenStyle.test(attributes.get('style') ?? '');
}

const asideRoles = names('navigation banner contentinfo complementary search');

/**
 * What part of the page an element is, if it is one. The head and foot of an article or section are its own, and what
 * stands beside within it belongs to it.
 */
export function pagePart(
  name: string,
  attributes: HtmlAttributes,
  isWithinPart: boolean,
): PagePart | 'section' | undefined {
  const role = attributes.get('role')?.toLowerCase();
  if (name === 'nav' || (role !== undefined && asideRoles.has(role))) return 'aside';
  if (name === 'main' || role === 'main') return 'main';
  if (name === 'article' || role === 'article') return 'article';
  if (name === 'section') return 'section';
  if (name === 'header' || name === 'footer' || name === 'aside') return isWithinPart ? undefined : 'aside';
  return undefined;
}

const numberColumn = /(?:^|[\s_-])(?:linenos?|line-?numbers?|lineno|gutter|blob-num)(?:$|[\s_-])/i;

/** Numbers beside the lines of code. */
export function isLineNumbers(attributes: HtmlAttributes): boolean {
  return numberColumn.test(attributes.get('class') ?? '');
}

const languageClass =
  /(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s*([\w+#.-]+)|(?:^|\s)sourceCode\s+([\w+#.-]+)/i;

/** The language of code, as the usual highlighters name it. */
export function codeLanguage(attributes: HtmlAttributes): string {
  const named = attributes.get('data-lang') ?? attributes.get('data-language');
  if (named !== undefined && /^[\w+#.-]+$/.test(named)) return named;
  const found = languageClass.exec(attributes.get('class') ?? '');
  return found?.[1] ?? found?.[2] ?? '';
}
