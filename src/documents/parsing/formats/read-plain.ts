import type { PackedBlocks } from '../packed-blocks.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { tooLarge } from '../read-limits.js';
import { countMatches } from '../text/count-matches.js';
import { normaliseText } from '../text/normalise-text.js';
import { parsePlainText } from '../text/parse-plain-text.js';
import { readDecoded } from '../text/read-decoded.js';
import type { FormatReader } from './format.js';

/** Text stays as it stands; its blocks are its paragraphs. */
export const readPlain: FormatReader = asItStands(parsePlainText);

/** Markdown stays as it stands. */
export const readMarkdown: FormatReader = asItStands(parseMarkdown);

function asItStands(blocksOf: (text: string, mostBlocks: number) => PackedBlocks): FormatReader {
  return async ({ file, encoding: asked }, limits) => {
    const { text: decoded, encoding, confidence, warnings } = await readDecoded(file, asked);
    const { text, removed } = normaliseText(decoded);
    refuseLength(text, limits.textChars);
    const message = `${removed} control characters and other non-characters were removed.`;
    return {
      text,
      blocks: blocksOf(text, limits.blocks),
      warnings: [...warnings, ...(removed > 0 ? [{ code: 'CHARACTERS_REMOVED', message }] : [])],
      encoding,
      encodingConfidence: confidence,
    };
  };
}

/** Counts only as far as it must: most texts are short enough in UTF-16 units. */
function refuseLength(text: string, most: number): void {
  if (text.length <= most) return;
  if (text.length - countMatches(text, /[\ud800-\udbff]/g) <= most) return;
  throw tooLarge('textChars', most, `${most} characters of text`);
}
