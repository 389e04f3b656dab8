const romanDigits = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
] as const;

/** A number in capital roman digits; empty where they have none. */
export function roman(number: number): string {
  if (number < 1 || number >= 4_000) return '';
  let rest = number;
  let text = '';
  for (const [value, digits] of romanDigits) {
    for (; rest >= value; rest -= value) text += digits;
  }
  return text;
}
