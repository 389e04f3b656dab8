import type { Readable } from 'node:stream';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** What a handler answers: JSON, bytes as they come, or nothing but a status. */
export type Answer =
  | { readonly status: 204 | 304; readonly headers: AnswerHeaders }
  | { readonly status: number; readonly json: object; readonly headers?: AnswerHeaders }
  | { readonly status: number; readonly stream: Readable; readonly headers: AnswerHeaders };

export function ok(json: object, headers: AnswerHeaders = {}): Answer {
  return { status: 200, json, headers };
}

/** Something new is there. */
export function created(json: object): Answer {
  return { status: 201, json };
}

/** Something was accepted and goes on by itself. */
export function accepted(json: object, headers: AnswerHeaders = {}): Answer {
  return { status: 202, json, headers };
}

/** The caller has it already, by its ETag. */
export function notModified(headers: AnswerHeaders): Answer {
  return { status: 304, headers };
}
