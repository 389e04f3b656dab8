import { mostProblems, type FieldProblem } from './invalid-request.js';

/** Deepest nesting that any request has use for. */
const deepest = 32;

/** Most fields, inner ones included, that any request has use for. Reading them costs far more than parsing them. */
const mostFields = 1_000;

/**
 * Finds what would make a parsed body dangerous to walk: nesting without end, more fields or items than any request
 * takes, and keys that every object has by birth (`__proto__`, `constructor`, …) and that no request knows.
 */
export function shapeProblems(value: unknown, longestList: number): FieldProblem[] {
  const walk = new ShapeWalk(longestList);
  walk.visit(value, '', 0);
  return walk.problems;
}

class ShapeWalk {
  readonly problems: FieldProblem[] = [];
  private fields = 0;
  private items = 0;

  constructor(private readonly longestList: number) {}

  visit(node: unknown, path: string, depth: number): void {
    if (typeof node !== 'object' || node === null || this.problems.length >= mostProblems) return;
    if (depth > deepest) this.refuse(path, `must not be nested deeper than ${deepest} levels`);
    else if (Array.isArray(node)) this.visitList(node, path, depth);
    else this.visitObject(node, path, depth);
  }

  private visitList(list: readonly unknown[], path: string, depth: number): void {
    this.items += list.length;
    if (this.items > this.longestList) {
      this.refuse(path, `must have at most ${this.longestList} items`);
      return;
    }
    for (let at = 0; at < list.length; at += 1) {
      if (typeof list[at] === 'object') this.visit(list[at], `${path}[${at}]`, depth + 1);
    }
  }

  private visitObject(object: object, path: string, depth: number): void {
    const keys = Object.keys(object);
    this.fields += keys.length;
    if (this.fields > mostFields) {
      this.refuse(path, `must have at most ${mostFields} fields`);
      return;
    }
    for (const key of keys) {
      const innerPath = path === '' ? key : `${path}.${key}`;
      if (key in Object.prototype) this.refuse(innerPath, 'is not a known field');
      else this.visit((object as Record<string, unknown>)[key], innerPath, depth + 1);
    }
  }

  private refuse(path: string, message: string): void {
    this.problems.push({ path, message });
  }
}
