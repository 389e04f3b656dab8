import { open, readFile } from 'node:fs/promises';
import { storing } from './storing.js';

/** Units that are written at once; a pair of surrogates between two pieces stays whole. */
const pieceUnits = 1_048_576;

/** Writes a text as UTF-8, piece by piece. @throws AppError STORAGE_UNAVAILABLE */
export async function writeText(path: string, text: string): Promise<void> {
  await storing(async () => {
    const handle = await open(path, 'w', 0o600);
    try {
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = Math.min(at + pieceUnits, text.length);
        if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
        await handle.appendFile(text.slice(at, end));
      }
    } finally {
      await handle.close();
    }
  });
}

/** Reads what `writeText` wrote. */
export function readText(path: string): Promise<string> {
  return storing(() => readFile(path, 'utf8'));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
