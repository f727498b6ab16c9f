import { supportText } from '#lib/brand.ts';
import { lazy } from '#lib/lazy.ts';
import { grouped } from '#lib/minor-units.ts';
import type { Currency } from '#modules/ledger';
import type { Period } from './link.ts';
import type { Statement } from './statement.ts';

const LAGOS = { timeZone: 'Africa/Lagos' } as const;

const dayFormat = lazy(
  () => new Intl.DateTimeFormat('en-GB', { ...LAGOS, day: '2-digit', month: 'short', year: 'numeric' }),
);

const timeFormat = lazy(
  () => new Intl.DateTimeFormat('en-GB', { ...LAGOS, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);

/** Swedish date-times are ISO 8601 date-times, but for the T. */
const isoFormat = lazy(() => new Intl.DateTimeFormat('sv-SE', { ...LAGOS, dateStyle: 'short', timeStyle: 'medium' }));

/** The day in Lagos, e.g. 21 Nov 2026. */
export const day = (at: Date): string => dayFormat().format(at).replace('Sept', 'Sep');

/** The time in Lagos, e.g. 14:05. */
export const time = (at: Date): string => timeFormat().format(at);

/** The moment in Lagos, e.g. 2026-11-21T14:05:09+01:00. */
export const isoMoment = (at: Date): string => `${isoFormat().format(at).replace(' ', 'T')}+01:00`;

/** Day and time in Lagos, e.g. 21 Nov 2026, 14:05. */
export const momentText = (at: Date): string => `${day(at)}, ${time(at)}`;

/** The last moment of a period. */
const lastOf = ({ from, to }: Period): Date => new Date(Math.max(from.getTime(), to.getTime() - 1));

const beginsADay = (at: Date): boolean => isoFormat().format(at).endsWith('00:00:00') && at.getTime() % 1_000 === 0;

/** A period, e.g. 22 Oct 2026 to 20 Nov 2026. An end within a day is given with its time, e.g. 21 Nov 2026, 14:05. */
export const periodText = (period: Period): string => {
  const { from, to } = period;
  const begin = beginsADay(from) ? day(from) : momentText(from);
  return `${begin} to ${beginsADay(to) ? day(lastOf(period)) : momentText(to)}`;
};

/** A period as part of a file's name. */
export const periodName = (period: Period): string =>
  [period.from, lastOf(period)].map((at) => isoFormat().format(at).slice(0, 10)).join('-to-');

export const symbols: Record<Currency, string> = { NGN: '₦', FP: 'FP\u00A0' };

export const currencyNames: Record<Currency, string> = { NGN: 'Nigerian naira (NGN, ₦)', FP: 'Points (FP)' };

/** Minor units for people, e.g. 1,234,567.89. Exact at any size. */
export function amount(minor: bigint): string {
  const [whole = '', fraction = ''] = decimal(minor < 0n ? -minor : minor).split('.');
  return `${minor < 0n ? '-' : ''}${grouped(whole)}.${fraction}`;
}

/** An amount with its currency, e.g. ₦1,234,567.89. */
export const money = (minor: bigint, currency: Currency): string => `${symbols[currency]}${amount(minor)}`;

/** Minor units for machines, e.g. 1234567.89. */
export function decimal(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What stands on every page of a statement of money that is not real; undefined in live. */
export const testMark = ({ testing }: Statement): string | undefined =>
  testing && `TEST: made in ${testing === 'staging' ? 'staging' : 'a sandbox'}, where no money is real`;

/** Whose statement it is and how it is verified, as names and values: what a document says above its lines. */
export function factsOf(statement: Statement): (readonly [name: string, value: string])[] {
  const { brand, holder, paytag, address, nuban, partner, currency, issuedAt, code, verifyAt } = statement;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Test', testMark(statement)],
    ['Institution', [brand.name, brand.address, brand.licence].filter((part) => part !== undefined).join(' · ')],
    ['Questions', supportText(brand)],
    ['Account holder', holder],
    ['PayTag', paytag],
    ['Address', address],
    ['Account number', nuban],
    ['Held with', partner],
    ['Currency', currencyNames[currency]],
    ['Period', periodText(statement)],
    ['Issued', momentText(issuedAt)],
    ['Verification code', code],
    ['Verify at', verifyAt],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
