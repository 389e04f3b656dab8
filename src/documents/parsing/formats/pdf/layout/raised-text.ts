/** Private characters round raised numbers, until it is known what they are; none of them comes out of a file. */
const [before, after] = ['\ue000', '\ue001'];

/** Raised numbers within a text. */
export const raisedNumbers = new RegExp(`${before}([^${after}]*)${after}`, 'g');
/** Raised numbers that a text begins with: the mark of a note. */
export const raisedStart = new RegExp(`^${before}([^${after}]*)${after}\\s*`);

/** Numbers, marked as raised. */
export function raisedText(numbers: string): string {
  return before + numbers + after;
}
