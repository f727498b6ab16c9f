/**
 * A day as YYYY-MM-DD, of YYYY-MM-DD, a date-time (its day as written) or a day first (17-05-1990, 17/05/1990,
 * 17-May-1990), as Nigeria writes it. Undefined for anything else, e.g. a year of two digits or the 30th of February.
 */
export function toCalendarDay(text: string): string | undefined {
  const day = yearFirst(text.trim()) ?? dayFirst(text.trim());
  return day !== undefined && isCalendarDay(day) ? day : undefined;
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
