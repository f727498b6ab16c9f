import { z } from 'zod';
import { exactValue, toMajor, toMinor } from '#lib/minor-units.ts';
import type { Currency } from '#modules/ledger';

export { toMajor } from '#lib/minor-units.ts';

/** Naira, and FP, which counts points. */
export const currencyCode = z.enum(['NGN', 'FP'] satisfies Currency[]);

/** 9,999,999,999,999.99: the largest amount whose two decimals a double still holds exactly. */
const MAJOR_MAX = 9_999_999_999_999.99;
const DECIMAL = /^(0|[1-9]\d*)(\.\d{1,2})?$/;
const AMOUNT_RULE = 'with at most two decimals, at most 9999999999999.99';

const majorAmount = (isInRange: (value: number) => boolean, range: string) => {
  const error = `must be a JSON number ${range} ${AMOUNT_RULE}`;
  return z
    .number({ error })
    .refine((value) => isInRange(value) && value <= MAJOR_MAX && DECIMAL.test(String(value)), { error })
    .meta({ description: 'Major units (naira, points), at most two decimals', example: 1500.5 })
    .transform(toMinor);
};

/** An amount in a request: major units on the wire, minor units inside. */
export const amountIn = majorAmount((value) => value > 0, 'above 0');

/** A limit in a request: 0 allows nothing. */
export const limitIn = majorAmount((value) => value >= 0, 'of at least 0');

/** Characters of a number in a query, as in a body. */
const TEXT_MAX = 40;

/** True for the text of an amount, which is judged by its value as in a body. */
function isAmount(text: string): boolean {
  const isNumber = text.length <= TEXT_MAX && !/^-?0\d/.test(text) && exactValue(text) !== undefined;
  const value = isNumber ? Number(text) : Number.NaN;
  return DECIMAL.test(String(value)) && value <= MAJOR_MAX && exactValue(String(value)) === exactValue(text);
}

/** An amount in a query: its text, in major units. */
export const amountInQuery = z
  .string()
  .refine(isAmount, { error: `must be a number ${AMOUNT_RULE}` })
  .transform((text) => toMinor(Number(text)))
  .meta({ type: 'number', minimum: 0, example: 1500.5 });

/** An amount in an answer, in major units. */
export const amountOut = z.number().meta({ description: 'Major units (naira, points)', example: 1500.5 });

/** An amount in major units, where there is one. */
export const toMajorIfAny = (amount: bigint | undefined): number | undefined =>
  amount === undefined ? undefined : toMajor(amount);
