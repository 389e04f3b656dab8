import { setImmediate } from 'node:timers/promises';
import { fontTraits, type FontTraits } from '../content/font-traits.js';
import { matrixOf } from '../content/matrix.js';
import type { PageContent } from '../content/page-content.js';
import { readPageContent } from '../content/read-page-content.js';
import type { OpenPdf, PdfDocument } from './open-pdf.js';

type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** Tells whether a layer is switched on in a document as it is first shown. */
export type LayerCheck = (layer: unknown) => boolean;

/** The check for the layers of a document. One that nobody understands is shown. */
export async function layersOf({ document }: OpenPdf): Promise<LayerCheck> {
  try {
    const config = await document.getOptionalContentConfig();
    return (layer) => config.isVisible(layer) !== false;
  } catch {
    return () => true;
  }
}

/** Reads what one page shows. Throws what the library throws for pages that cannot be found or make no sense. */
export async function readPage(open: OpenPdf, number: number, isShown: LayerCheck): Promise<PageContent> {
  const page = await open.document.getPage(number);
  try {
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const view = matrixOf(transform);
    if (!view) throw new RangeError('the page has no area');
    const { fnArray: operations, argsArray } = await page.getOperatorList();
    const args: readonly unknown[] = argsArray;
    const fonts = await fontsOf(page, namesOfFonts(operations, args, open.operators));
    const font = (name: string): FontTraits => fonts.get(name) ?? fontTraits(undefined);
    const seen = { number, width, height, transform: view, operations, args, font, isShown };
    return readPageContent(seen, open.operators);
  } finally {
    page.cleanup();
  }
}

function namesOfFonts(operations: readonly number[], args: readonly unknown[], on: OpenPdf['operators']): Set<string> {
  const names = new Set<string>();
  const add = (name: unknown): void => void (typeof name === 'string' && names.add(name));
  for (const [i, operation] of operations.entries()) {
    const given = args[i];
    // Whatever a page needs before it can be painted stands among its dependencies.
    if (operation === on.dependency && Array.isArray(given)) given.forEach(add);
    if (operation === on.setFont && Array.isArray(given)) add(given[0]);
  }
  return names;
}

/** Fonts arrive beside the operators, sometimes a turn of the event loop later. */
async function fontsOf(page: PdfPage, names: ReadonlySet<string>): Promise<Map<string, FontTraits>> {
  const fonts = new Map<string, FontTraits>();
  for (const name of names) {
    for (let turn = 0; turn < 5 && !page.commonObjs.has(name); turn += 1) await setImmediate();
    if (page.commonObjs.has(name)) fonts.set(name, fontTraits(page.commonObjs.get(name)));
  }
  return fonts;
}
