import { drawingElements } from './drawing-elements.js';
import type { ElementReader } from './element-reader.js';
import { listElements } from './list-elements.js';
import { tableElements } from './table-elements.js';
import { noteElements, textElements } from './text-elements.js';

/** Elements that mean something to a text; all others are looked through. */
export const elementReaders: ReadonlyMap<string, ElementReader> = new Map(
  [textElements, noteElements, listElements, tableElements, drawingElements].flatMap((readers) =>
    Object.entries(readers),
  ),
);
