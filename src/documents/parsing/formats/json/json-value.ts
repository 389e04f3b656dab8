import { tooLarge } from '../../read-limits.js';
import type { JsonMark, JsonToken, JsonTokens } from './json-tokens.js';

/** A value of a JSON text. Scalars are the words that a person reads; members keep their order, also those of one name. */
export type JsonValue = string | JsonObject | readonly JsonValue[];
export interface JsonObject {
  readonly members: readonly (readonly [name: string, value: JsonValue])[];
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Reads values out of a JSON text. A comma too many is let pass, as many writers leave one. */
export class JsonReader {
  constructor(
    private readonly tokens: JsonTokens,
    private readonly depth: number,
  ) {}

  /**
   * The value that a token begins.
   *
   * @throws AppError CORRUPT; TOO_LARGE for values nested too deeply.
   */
  value(first: JsonToken, depth = 0): JsonValue {
    if (first.type === 'string' || first.type === 'scalar') return first.text;
    if (depth === this.depth) throw tooLarge('depth', this.depth, `${this.depth} values within each other`);
    if (isMark(first, '[')) return [...this.items(depth)];
    if (isMark(first, '{')) return { members: [...this.members(depth)] };
    throw this.tokens.notJson();
  }

  /** The items of a list whose bracket was read, each as it is reached. */
  *items(depth = 0): Generator<JsonValue> {
    for (const token of this.untilEnd(']')) yield this.value(token, depth + 1);
  }

  private *members(depth: number): Generator<[name: string, value: JsonValue]> {
    for (const token of this.untilEnd('}')) {
      if (token.type !== 'string' || !isMark(this.tokens.next(), ':')) throw this.tokens.notJson();
      yield [token.text, this.value(this.tokens.next(), depth + 1)];
    }
  }

  /** The first token of each part of a container. */
  private *untilEnd(end: JsonMark): Generator<JsonToken> {
    for (;;) {
      const token = this.tokens.next();
      if (isMark(token, end)) return;
      yield token;
      const behind = this.tokens.next();
      if (isMark(behind, end)) return;
      if (!isMark(behind, ',')) throw this.tokens.notJson();
    }
  }
}

export function isMark(token: JsonToken, mark: JsonMark): boolean {
  return token.type === 'mark' && token.mark === mark;
}
