import { toCalendarDay } from '#lib/calendar-day.ts';

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

/** A format that names year, month and day, each once: `DD/MM/YYYY`, `YYYYMMDD`, `D-MMM-YY`. */
export const isDateFormat = (format: string): boolean =>
  /^[YMD ./-]+$/.test(format) &&
  ['Y', 'M', 'D'].every((letter) => (format.match(PART) ?? []).filter((part) => part.startsWith(letter)).length === 1);

/**
 * How days are written in a file, as a function that reads one: YYYY-MM-DD, or undefined. A time behind the day is passed over.
 *
 * @param format as `isDateFormat` allows
 */
export function dayReader(format: string): (text: string) => string | undefined {
  const written = format.replaceAll('.', '\\.').replaceAll(PART, (part) => parts[part] ?? part);
  const pattern = new RegExp(`^${written}(?:[T ,]\\s*\\d{1,2}:\\d{2}.*)?$`);
  return (text) => {
    const { year = '', month = '', day = '' } = pattern.exec(text.trim())?.groups ?? {};
    if (year === '') return undefined;
    const number = /^\d/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toUpperCase()) + 1);
    const whole = `${year.length === 2 ? `20${year}` : year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
    return toCalendarDay(whole);
  };
}
