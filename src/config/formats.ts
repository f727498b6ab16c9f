import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { plainUrl } from '#lib/text/parse.ts';
import type { Charge } from '#modules/ledger';

/** Amounts of two decimals, a rate of four, and their marks. */
const FORM =
  /^(?:(\d{1,13}(?:\.\d{1,2})?)|(\d{1,3}(?:\.\d{1,4})?)%(?:\+(\d{1,13}(?:\.\d{1,2})?))?)(?:<=(\d{1,13}(?:\.\d{1,2})?))?(?:>=(\d{1,13}(?:\.\d{1,2})?))?$/;

/** A decimal as an integer of its last place, e.g. `1.5` with 2 decimals as 150. */
const scaled = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

/** A plain decimal amount in naira as kobo. The caller has checked the format. */
const koboOf = (text: string): bigint => scaled(text, 2);

/**
 * Reads a charge, with amounts in naira: `25` (flat), `1.5%` or `1.5%+100`; then, both optional, `<=2000` for the highest
 * charge and `>=10000` for the least amount that is charged. Undefined when the text is not a charge.
 */
export function parseCharge(text: string): Charge | undefined {
  const [whole, alone, rate, added, cap, from] = FORM.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    rateMillionths: rate === undefined ? 0n : scaled(rate, 4),
    flat: koboOf(alone ?? added ?? '0'),
    cap: cap === undefined ? undefined : koboOf(cap),
    from: koboOf(from ?? '0'),
  };
}

/* The formats of variables. Each refuses a wrong or missing value with what is valid: `must be …` or `must have …`. */

/** A text that matches `pattern`, which `words` describe. */
export const matching = (pattern: RegExp, words: string) => z.string(words).regex(pattern, words);

export const integer = (min: number, max: number) => {
  const words = `must be a whole number from ${min} to ${max}`;
  return matching(/^\d+$/, words).transform(Number).pipe(z.number().min(min, words).max(max, words));
};

export const choice = <const T extends readonly [string, ...string[]]>(...options: T) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}` });

const list = (isMember: (part: string) => boolean, what: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine((parts) => parts.every(isMember), `must be ${what}, with commas between them`);

/** Countries by their two letters. */
export const countries = list((part) => /^[A-Z]{2}$/.test(part), 'countries by two letters, e.g. NG,GH');

const isRange = (part: string) => ipaddr.isValidCIDR(part);
export const addressRanges = list(isRange, 'address ranges, e.g. 10.0.0.0/8');
/** Refuses a range of all addresses, which would trust every sender. */
const isNarrowRange = (part: string) => {
  const [address = '', bits] = part.split('/');
  return isIP(address) !== 0 && (bits === undefined || (isRange(part) && bits !== '0'));
};
export const addressesOrRanges = list(isNarrowRange, 'addresses or ranges, none of them of all addresses');

export const url = (protocol: RegExp, what: string) =>
  z
    .url({ protocol, error: `must be ${what}` })
    .refine((text) => !/^https?:/i.test(text) || plainUrl(text) !== undefined, {
      error: `must be ${what}, written as it is read: in small letters, and with no port that its scheme has anyway`,
    });

/** Scheme, host and port of an http or https URL. */
export const origin = url(/^https?$/, 'an origin, e.g. https://pay.example.com').refine(
  (text) => /^\w+:\/\/[^/?#@]+\/?$/.test(text),
  'must be an origin, e.g. https://pay.example.com, with nothing after it',
);

/** An amount in naira, read as kobo. */
export const naira = matching(
  /^\d{1,13}(\.\d{1,2})?$/,
  'must be an amount in naira, with at most two decimals',
).transform(koboOf);

/** A fee; nothing by default. */
export const charge = z
  .string()
  .default('0')
  .transform((text, context) => {
    const parsed = parseCharge(text);
    if (parsed !== undefined) return parsed;
    context.addIssue('must be a charge, e.g. 25, 1.5% or 1.5%+100<=2000>=10000');
    return z.NEVER;
  });

/** Our key or password at another company. */
export const secret = matching(/^[\x21-\x7e]{4,500}$/, 'must be printable, without spaces').optional();
