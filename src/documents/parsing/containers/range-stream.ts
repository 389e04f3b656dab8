import { Readable } from 'node:stream';
import type { SourceFile } from '../source-file.js';

const partBytes = 65_536;

/** The bytes from `start` to before `end`, read as they are asked for. */
export function rangeStream(file: SourceFile, start: number, end: number): Readable {
  let at = start;
  return new Readable({
    read() {
      if (at >= end) return void this.push(null);
      file.read(at, Math.min(at + partBytes, end)).then(
        (part) => {
          at += part.length;
          this.push(part.length === 0 ? null : part);
        },
        (error: unknown) => this.destroy(error as Error),
      );
    },
  });
}
