import { changeElements } from './change-elements.js';
import { drawingElements } from './drawing-elements.js';
import type { ElementReader } from './element-reader.js';
import { equationElements } from './equation-elements.js';
import { fieldElements } from './field-elements.js';
import { noteElements } from './note-elements.js';
import { paragraphElements } from './paragraph-elements.js';
import { runElements } from './run-elements.js';
import { tableElements } from './table-elements.js';

/** Elements that mean something to a text; all others are looked through. */
export const elementReaders: ReadonlyMap<string, ElementReader> = new Map(
  [
    paragraphElements,
    runElements,
    fieldElements,
    changeElements,
    tableElements,
    drawingElements,
    equationElements,
    noteElements,
  ].flatMap((readers) => Object.entries(readers)),
);
