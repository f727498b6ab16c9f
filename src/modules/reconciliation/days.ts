import { toCalendarDay } from '#lib/text/parse.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4;

/** The number of a day among banking days, Monday to Friday: a Saturday and a Sunday count as the Monday behind them. */
function numberOf(day: string): number {
  const since = Math.round(Date.parse(day) / DAY_MS) - FIRST_MONDAY;
  const week = Math.floor(since / 7);
  return week * 5 + Math.min(since - week * 7, 5);
}

/** How many banking days two days lie apart. Public holidays count as banking days. */
export const bankingDaysApart = (one: string, other: string): number => Math.abs(numberOf(one) - numberOf(other));

/** A day so many days later, or earlier. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** The parts of a date's format, and how each is written. */
const parts: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMM: '(?<month>[A-Za-z]{3,9})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};

const PART = /YYYY|YY|MMM|MM|M|DD|D/g;

/** The time behind a day, and how far it is from UTC where it says so. */
const TIME =
  /^[T ,]\s{0,3}(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?\s{0,3}(AM|PM)?\s{0,3}(Z|UTC|GMT|WAT|[+-]\d{2}:?\d{2})?$/i;

/** As long as a day and its time are written. */
const WRITTEN_MAX = 60;

const LAGOS_MIN = 60;

const DAY_MIN = 24 * 60;

/** A format that names year, month and day, each once: `DD/MM/YYYY`, `YYYYMMDD`, `D-MMM-YY`. */
export const isDateFormat = (format: string): boolean =>
  /^[YMD ./-]+$/.test(format) &&
  ['Y', 'M', 'D'].every((letter) => (format.match(PART) ?? []).filter((part) => part.startsWith(letter)).length === 1);

/**
 * How days are written in a file, as a function that reads one: YYYY-MM-DD, or undefined. A time behind the day is passed over,
 * unless it says how far it is from UTC: then the day is that of Africa/Lagos.
 *
 * @param format as `isDateFormat` allows
 */
export function dayReader(format: string): (text: string) => string | undefined {
  const written = format.replaceAll('.', '\\.').replaceAll(PART, (part) => parts[part] ?? part);
  const pattern = new RegExp(`^${written}(?<time>[T ,].*)?$`);
  return (text) => {
    if (text.length > WRITTEN_MAX) return undefined;
    const { year = '', month = '', day = '', time } = pattern.exec(text.trim())?.groups ?? {};
    if (year === '') return undefined;
    const number = /^\d/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toUpperCase()) + 1);
    const whole = `${year.length === 2 ? `20${year}` : year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const read = toCalendarDay(whole);
    return read === undefined || time === undefined ? read : inLagos(read, time);
  };
}

/** The day in Africa/Lagos of an ISO 8601 day, with or without a time; one without an offset is as it is written. */
export function isoDay(text: string): string | undefined {
  const [, day, rest = ''] = /^(\d{4}-\d{2}-\d{2})(.*)$/.exec(text.length > WRITTEN_MAX ? '' : text.trim()) ?? [];
  const read = day === undefined ? undefined : toCalendarDay(day);
  if (read === undefined || rest === '' || /^(?:Z|[+-]\d{2}:\d{2})$/.test(rest)) return read;
  return inLagos(read, rest);
}

function inLagos(day: string, time: string): string | undefined {
  const [, hour = '', minute = '', half, offset] = TIME.exec(time.trimEnd()) ?? [];
  if (hour === '' || Number(hour) > 24 || Number(minute) > 59) return undefined;
  if (offset === undefined) return day;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const minutes = hours * 60 + Number(minute) - minutesOf(offset.toUpperCase()) + LAGOS_MIN;
  const days = Math.floor(minutes / DAY_MIN);
  return new Date(Date.parse(day) + days * DAY_MIN * 60_000).toISOString().slice(0, 10);
}

function minutesOf(offset: string): number {
  if (offset === 'WAT') return LAGOS_MIN;
  if (!/^[+-]/.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith('-') ? -minutes : minutes;
}
