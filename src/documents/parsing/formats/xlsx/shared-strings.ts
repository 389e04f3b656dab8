import type { XmlHandler } from '../../containers/xml-events.js';
import { tooLarge } from '../../read-limits.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { cellString } from './rich-text.js';

/**
 * Reads the texts that cells refer to by number. Words above others that say how to pronounce them are left out.
 *
 * @throws AppError TOO_LARGE for more than a text may hold
 */
export async function readSharedStrings(pack: OfficePackage, part: string, mostChars: number): Promise<string[]> {
  const strings: string[] = [];
  await pack.events(part, new SharedStringHandler(strings, mostChars));
  return strings;
}

class SharedStringHandler implements XmlHandler {
  private current = '';
  private isText = false;
  private phonetic = 0;
  private chars = 0;

  constructor(
    private readonly strings: string[],
    private readonly mostChars: number,
  ) {}

  open(name: string): void {
    if (name === 'x:si') this.current = '';
    else if (name === 'x:rPh') this.phonetic += 1;
    this.isText = name === 'x:t' && this.phonetic === 0;
  }

  close(name: string): void {
    this.isText = false;
    if (name === 'x:rPh') this.phonetic -= 1;
    if (name !== 'x:si') return;
    this.chars += this.current.length;
    if (this.chars > this.mostChars)
      throw tooLarge('textChars', this.mostChars, `${this.mostChars} characters of text`);
    this.strings.push(cellString(this.current));
  }

  text(text: string): void {
    if (this.isText) this.current += text;
  }
}
