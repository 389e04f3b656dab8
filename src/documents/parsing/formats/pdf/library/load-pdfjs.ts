import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

export type PdfJs = typeof pdfjs;

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('pdfjs-dist/package.json'));
const canvas = '@napi-rs/canvas';

/** Character maps of the Adobe collections, for fonts that are named in a file but not in it. */
export const cMapFolder = join(folder, 'cmaps/');
/** Stand-ins of the fourteen standard fonts, for their widths. */
export const standardFontFolder = join(folder, 'standard_fonts/');

let loading: Promise<PdfJs> | undefined;

/** The PDF library, without its canvas. */
export function loadPdfJs(): Promise<PdfJs> {
  withholdCanvas();
  loading ??= import('pdfjs-dist/legacy/build/pdf.mjs');
  return loading;
}

/**
 * The library asks for a native canvas as soon as it is imported, and warns on standard output if it is not installed.
 * Nothing is painted here, so it gets the names that it looks for and no native code beside hostile bytes.
 */
function withholdCanvas(): void {
  const path = installedAt(canvas);
  if (path === undefined || require.cache[path]) return;
  const none = { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} };
  require.cache[path] = { ...emptyModule(path), exports: none };
}

function installedAt(name: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

function emptyModule(path: string): NodeJS.Module {
  return {
    id: path,
    path: dirname(path),
    filename: path,
    loaded: true,
    children: [],
    paths: [],
    parent: null,
    isPreloading: false,
    exports: {},
    require,
  };
}
