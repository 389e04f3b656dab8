import type { XmlAttributes } from '../../containers/xml-events.js';

/** A switch as Office writes it: an element without a value is on. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off|none)$/i.test(value);
}

/** A whole number that is written out; undefined for anything else. */
export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The value of a WordprocessingML element. */
export function valueOf(attributes: XmlAttributes): string | undefined {
  return attributes['w:val'];
}
