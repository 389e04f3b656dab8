const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])\p{L}/u;
const digit = /\p{Nd}/u;
/** What stands within numbers, or beside them. */
const numeric = /[\p{Nd}.,:/%+\-$€£¥₪°]/u;
/** Letters of another direction in one line; bounds the work of a line that nobody wrote. */
const longestForeign = 300;
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

/** Whether more of a text's letters run from right to left than the other way. */
export function isRightToLeft(text: string): boolean {
  if (!rightToLeft.test(text)) return false;
  let balance = 0;
  for (const letter of text) balance += rightToLeft.test(letter) ? 1 : leftToRight.test(letter) ? -1 : 0;
  return balance >= 0;
}

/**
 * The text of a line in the order in which it is read, from the order in which it is seen from left to right. What runs
 * from right to left is turned round, with its brackets; numbers and words of other scripts within it stay as they are.
 */
export function readingOrder(seen: string): string {
  if (!rightToLeft.test(seen)) return seen;
  const letters = [...seen];
  if (isRightToLeft(seen)) return turn(letters);
  let text = '';
  for (let at = 0; at < letters.length;) {
    const end = endOfTurned(letters, at);
    text += end > at ? turn(letters.slice(at, end)) : (letters[at] ?? '');
    at = Math.max(end, at + 1);
  }
  return text;
}

/** Where a stretch from right to left ends that begins here: after its last letter of that direction. */
function endOfTurned(letters: readonly string[], start: number): number {
  if (!rightToLeft.test(letters[start] ?? '')) return start;
  let end = start;
  for (let at = start; at < letters.length; at += 1) {
    const letter = letters[at] ?? '';
    if (rightToLeft.test(letter)) end = at + 1;
    else if (leftToRight.test(letter)) break;
  }
  return end;
}

function turn(letters: readonly string[]): string {
  const turned = letters.map((letter) => mirrored[letter] ?? letter).reverse();
  let text = '';
  for (let at = 0; at < turned.length;) {
    const end = endOfForeign(turned, at);
    if (end > at) {
      const kept = turned.slice(at, end).reverse();
      text += kept.map((letter) => mirrored[letter] ?? letter).join('');
      at = end;
    } else {
      text += turned[at] ?? '';
      at += 1;
    }
  }
  return text;
}

/** Where a stretch from left to right ends that begins here: words with what stands between them, or one number. */
function endOfForeign(letters: readonly string[], start: number): number {
  const first = letters[start] ?? '';
  if (!leftToRight.test(first) && !digit.test(first)) return start;
  const near = letters.slice(start, start + longestForeign);
  const turn = near.findIndex((letter) => rightToLeft.test(letter));
  const stretch = turn < 0 ? near : near.slice(0, turn);
  // Numbers beside words of this direction go with them.
  const hasWord = stretch.some((letter) => leftToRight.test(letter));
  const other = stretch.findIndex((letter) => !numeric.test(letter));
  const number = other < 0 ? stretch : stretch.slice(0, other);
  const run = hasWord ? stretch : number;
  return start + run.findLastIndex((letter) => leftToRight.test(letter) || digit.test(letter)) + 1;
}
