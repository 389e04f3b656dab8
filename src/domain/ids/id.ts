/** A 64-bit id as a decimal string: `[1-9][0-9]{0,18}`, at most 2^63−1. Ids never pass through floating point. */
export type Id = string;

const form = /^[1-9][0-9]{0,18}$/;
const largest = 2n ** 63n - 1n;

/** True for the decimal string of a positive 64-bit signed integer. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' && form.test(value) && (value.length < 19 || BigInt(value) <= largest);
}

/** The tenant that everything belongs to where no credentials say otherwise. */
export const defaultTenant = '0';
export type TenantId = string;
