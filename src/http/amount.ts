import { z } from 'zod';
import { asMinor, type Minor } from '#modules/ledger';

/** 9,999,999,999,999.99: the largest amount whose two decimals a double still holds exactly. */
const MAJOR_MAX = 9_999_999_999_999.99;
const DECIMAL = /^(0|[1-9]\d*)(\.\d{1,2})?$/;
const RULE = 'must be a JSON number above 0 with at most two decimals, at most 9999999999999.99';

/** Major units on the wire to minor units inside. The text must be a plain decimal: nothing is ever rounded. */
function toMinor(major: number): Minor {
  const [whole = '0', fraction = ''] = String(major).split('.');
  return asMinor(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0')));
}

/** Minor units inside to major units on the wire. */
export const toMajor = (amount: bigint): number => Number(amount) / 100;

/** An amount in a request: read as major units, given on as minor units. */
export const amountIn = z
  .number({ error: RULE })
  .refine((value) => value > 0 && value <= MAJOR_MAX && DECIMAL.test(String(value)), { error: RULE })
  .meta({ description: 'Major units (naira, points), at most two decimals', example: 1500.5 })
  .transform(toMinor);

/** An amount in an answer, in major units. */
export const amountOut = z.number().meta({ description: 'Major units (naira, points)', example: 1500.5 });
