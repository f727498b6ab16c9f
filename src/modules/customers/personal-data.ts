import { regexes } from 'zod';
import { DomainError } from '#lib/domain-error.ts';
import { phoneCountry, toCalendarDay, toMobileNumber } from '#lib/text/parse.ts';

const refuse = (problem: string): DomainError => new DomainError('INVALID_PARAMETER', problem);

const NAME_MAX = 100;
const NAME = /^(?=.*\p{L})(?:\p{L}\p{M}*|[ .'\u2018\u2019\u2010-])+$/u;

/**
 * A person's name, trimmed, with single spaces inside; letters of another width or form as ordinary ones.
 *
 * @throws DomainError INVALID_PARAMETER
 */
export function readName(member: string, text: string): string {
  const name = text
    .replaceAll(/[`\u00b4]/g, "'")
    .normalize('NFKC')
    .trim()
    .replaceAll(/\s+/g, ' ');
  if (name.length > NAME_MAX || !NAME.test(name) || /\p{Default_Ignorable_Code_Point}/u.test(name)) {
    throw refuse(`${member}: must be a person's name, of letters, spaces, apostrophes, hyphens and periods`);
  }
  return name;
}

/** A mobile number as E.164, read as a Nigerian one where it names no country. @throws DomainError INVALID_PARAMETER */
export function readPhone(text: string): string {
  const phone = toMobileNumber(text);
  if (phone === undefined) throw refuse('phone: must be a mobile number, e.g. 08031234567 or +2348031234567');
  return phone;
}

/** A mobile number of a country that messages go to, as E.164. @throws DomainError INVALID_PARAMETER */
export function readReachablePhone(text: string, countries: readonly string[]): string {
  const phone = readPhone(text);
  if (countries.includes(phoneCountry(phone) ?? '')) return phone;
  throw refuse(`phone: must be a mobile number of ${countries.join(' or ')}: messages go nowhere else`);
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
 * A past day as YYYY-MM-DD, in any of the ways that `toCalendarDay` reads. Past means before today in Lagos, which is ahead
 * of UTC by an hour all year.
 *
 * @throws DomainError INVALID_PARAMETER
 */
export function readBirthDate(text: string, now: Date): string {
  const day = toCalendarDay(text);
  if (day === undefined) throw refuse('dateOfBirth: must be a day, e.g. 1990-05-17, 17/05/1990 or 17-May-1990');
  const todayInLagos = new Date(now.getTime() + 3_600_000).toISOString().slice(0, 10);
  if (day >= todayInLagos || day < '1900-01-01') throw refuse('dateOfBirth: must be a day in the past');
  return day;
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
