import { regexes } from 'zod';
import { DomainError } from '#lib/domain-error.ts';
import { lazyPackage } from '#lib/lazy.ts';

const phones = lazyPackage<typeof import('libphonenumber-js/mobile')>('libphonenumber-js/mobile');

const refuse = (problem: string): DomainError => new DomainError('INVALID_PARAMETER', problem);

/** A name, trimmed, with single spaces inside. @throws DomainError INVALID_PARAMETER */
export function readName(member: string, text: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (name === '' || !/\p{L}/u.test(name) || /[\p{Cc}\p{Cf}<>]/u.test(name)) throw refuse(`${member}: must be a name`);
  return name;
}

/** A mobile number as E.164, read as a Nigerian one where it names no country. @throws DomainError INVALID_PARAMETER */
export function readPhone(text: string): string {
  const parsed = phones().parsePhoneNumberFromString(text, { defaultCountry: 'NG', extract: false });
  if (parsed?.isValid() !== true || parsed.ext !== undefined) {
    throw refuse('phone: must be a mobile number, e.g. 08031234567 or +2348031234567');
  }
  return parsed.number;
}

/** Eleven digits. @throws DomainError INVALID_PARAMETER */
export function readBvn(text: string): string {
  if (!/^\d{11}$/.test(text)) throw refuse('bvn: must be 11 digits');
  return text;
}

/** In ASCII, which every mail server accepts; an international domain by its `xn--` name. @throws DomainError INVALID_PARAMETER */
export function readEmail(text: string): string {
  const email = text.trim();
  if (email.length > 254 || !regexes.email.test(email)) throw refuse('email: must be an e-mail address');
  return email;
}

/**
 * A past day as YYYY-MM-DD, of YYYY-MM-DD, a date-time (its day as written) or a day first (17-05-1990, 17/05/1990,
 * 17-May-1990), as Nigeria writes it. Past means before today in Lagos, which is ahead of UTC by an hour all year.
 *
 * @throws DomainError INVALID_PARAMETER, for a year of two digits as well
 */
export function readBirthDate(text: string, now: Date): string {
  const day = yearFirst(text.trim()) ?? dayFirst(text.trim());
  if (day === undefined || !isCalendarDay(day)) {
    throw refuse('dateOfBirth: must be a day, e.g. 1990-05-17, 17-05-1990 or 17-May-1990');
  }
  const todayInLagos = new Date(now.getTime() + 3_600_000).toISOString().slice(0, 10);
  if (day >= todayInLagos || day < '1900-01-01') throw refuse('dateOfBirth: must be a day in the past');
  return day;
}

const yearFirst = (text: string): string | undefined =>
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text)?.[1];

function dayFirst(text: string): string | undefined {
  const [, day = '', , month = '', year] = /^(\d{1,2})([-/ ])(\d{1,2}|[a-z]{3,9})\2(\d{4})$/i.exec(text) ?? [];
  const number = /^\d/.test(month) ? month : monthNumber(month);
  return number && `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const months = 'january february march april may june july august september october november december'.split(' ');

/** Of an English name, whole or its first three letters; and Sept. */
function monthNumber(name: string): string | undefined {
  const given = name.toLowerCase();
  const at = months.findIndex((month) => given === month || given === month.slice(0, 3));
  if (at >= 0) return String(at + 1);
  return given === 'sept' ? '9' : undefined;
}

/** False for the 30th of February. */
function isCalendarDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/** `+234*******67`: enough to recognise one's own number. */
export const maskPhone = (phone: string): string =>
  `${phone.slice(0, 4)}${'*'.repeat(phone.length - 6)}${phone.slice(-2)}`;

/** `a***@example.com`. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
};

/** `*******1234`. */
export const maskBvn = (bvn: string): string => `${'*'.repeat(bvn.length - 4)}${bvn.slice(-4)}`;
