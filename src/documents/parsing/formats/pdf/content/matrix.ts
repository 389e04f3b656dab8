/** An affine map of the plane: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** The map that does `inner` first. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [ia, ib, ic, id, ie, jf] = inner;
  return [a * ia + c * ib, b * ia + d * ib, a * ic + c * id, b * ic + d * id, a * ie + c * jf + e, b * ie + d * jf + f];
}

/** A point under a map. */
export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Six numbers out of a file as a map; undefined for anything else. */
export function matrixOf(values: unknown): Matrix | undefined {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) return undefined;
  const numbers = Array.from(values as ArrayLike<unknown>);
  if (numbers.length !== 6 || !numbers.every((value) => Number.isFinite(value))) return undefined;
  return numbers as unknown as Matrix;
}
