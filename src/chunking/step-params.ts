import type { StepParams } from '../domain/plan/strategy.js';

/** A whole number of a completed step. */
export function integerParam(params: StepParams, name: string): number {
  const value = params[name];
  if (typeof value !== 'number') throw new TypeError(`step parameter ${name} is not a number`);
  return value;
}

/** One of the words of a completed step. */
export function wordParam<Word extends string>(params: StepParams, name: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === params[name]);
  if (word === undefined) throw new TypeError(`step parameter ${name} is none of ${words.join(', ')}`);
  return word;
}

/** A list of strings of a completed step. */
export function textsParam(params: StepParams, name: string): readonly string[] {
  const value = params[name];
  if (typeof value !== 'object') throw new TypeError(`step parameter ${name} is not a list`);
  return value;
}
