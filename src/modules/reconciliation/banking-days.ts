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
