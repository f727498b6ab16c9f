import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { lazyPackage } from '../lazy.ts';

const YEAR_FIRST = /^(\d{4})([-/.])(\d{2})\2(\d{2})$/;
const DAY_FIRST = /^(\d{1,2})([-/. ])(\d{1,2}|[a-z]{3,9})\2(\d{4})$/i;
/** A time of the day behind a day, and how far its clock is ahead of UTC. */
const TIME =
  /(?:T| {1,2})(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?(?: ?([ap]m))? ?(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Longer than any text that is a day. */
const LENGTH_MAX = 64;
const MINUTE_MS = 60_000;
/** Lagos is ahead of UTC by an hour all year. */
const LAGOS_MINUTES = 60;

/**
 * A day as YYYY-MM-DD: of a year first (1990-05-17, 1990/05/17, 1990.05.17), or of a day first, as Nigeria writes it (17-05-1990,
 * 17/05/1990, 17.05.1990, 17-May-1990). A time behind it is passed over, unless it says its offset from UTC: then the day is that which
 * it was in Lagos at this moment. Undefined for anything else, e.g. a year of two digits or the 30th of February.
 */
export function toCalendarDay(text: string): string | undefined {
  const written = text.trim();
  if (written.length > LENGTH_MAX) return undefined;
  const time = TIME.exec(written);
  const date = time === null ? written : written.slice(0, time.index);
  const day = yearFirst(date) ?? dayFirst(date);
  if (day === undefined || !isCalendarDay(day)) return undefined;
  return time === null ? day : dayAt(day, time);
}

function yearFirst(date: string): string | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(date) ?? [];
  return year && `${year}-${month}-${day}`;
}

function dayFirst(date: string): string | undefined {
  const [, day = '', , month = '', year] = DAY_FIRST.exec(date) ?? [];
  const number = /^\d/.test(month) ? month : monthNumber(month);
  return number && `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The day in Lagos at a time of a day elsewhere; the day itself where the time does not say how far that is from UTC. */
function dayAt(
  day: string,
  [, hour = '', minute = '', second = '0', half, offset]: RegExpExecArray,
): string | undefined {
  const hours = hoursOf(Number(hour), half?.toLowerCase());
  if (hours === undefined) return undefined;
  if (offset === undefined) return day;
  const [, sign, ahead = '0', more = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (Number(ahead) > 14 || Number(more) > 59) return undefined;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(ahead) * 60 + Number(more));
  const utcMs = Date.parse(`${day}T00:00:00Z`) + (hours * 60 + Number(minute) - offsetMinutes) * MINUTE_MS;
  const inLagos = new Date(utcMs + Number(second) * 1000 + LAGOS_MINUTES * MINUTE_MS).toISOString();
  return /^\d{4}-/.test(inLagos) ? inLagos.slice(0, 10) : undefined;
}

/** Of a clock of 24 hours, or of 12. */
function hoursOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  return hour >= 1 && hour <= 12 ? (hour % 12) + (half === 'pm' ? 12 : 0) : undefined;
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

const phones = lazyPackage<typeof import('libphonenumber-js/mobile')>('libphonenumber-js/mobile');

/**
 * A mobile number as E.164, read as a Nigerian one where it names no country; undefined for what is none. It may be written as a
 * link (`tel:+2348031234567`), and dialled abroad with 00 (`002348031234567`); what begins with 009 is left to Nigeria's own way of dialling abroad.
 */
export function toMobileNumber(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const number = text.replace(/^tel:/i, '').replace(/^\D{0,3}00(?=\D{0,3}[1-8])/, '+');
  const parsed = phones().parsePhoneNumberFromString(number, { defaultCountry: 'NG', extract: false });
  return parsed?.isValid() === true && parsed.ext === undefined ? parsed.number : undefined;
}

/**
 * The country of a mobile number in E.164, e.g. `NG`. Undefined for a number of no country (a satellite phone's, an
 * international network's) and for one that is no mobile number (a premium rate, a landline).
 */
export function phoneCountry(phone: string): string | undefined {
  const parsed = phones().parsePhoneNumberFromString(phone, { extract: false });
  return parsed?.isValid() === true ? parsed.country : undefined;
}

/**
 * The URL that a text is, if it is read as it is written: what is kept as typed and judged as parsed could be two different pages
 * (`https://shop.example\\@evil.example/`, `https:shop.example`, `https://127.1`). The `/` behind a host may be left out.
 */
export function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  return url.href === text || url.href.replace(/^(https?:\/\/[^/?#]+)\/(?=[?#]|$)/, '$1') === text ? url : undefined;
}

/** A rail's reference as it is compared: letters and digits alone, whatever banks make of their case and of what is between them. */
export const normalizedReference = (reference: string): string => reference.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const IPV6_NETWORK_BYTES = 8;

/**
 * The key of an IP address for rate limits: an IPv4 address itself, and the /64 network of an IPv6 address, which has one owner. Other
 * text is returned unchanged.
 */
export function addressBlock(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip); // turns an IPv4-mapped IPv6 address into the IPv4 address
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
}
