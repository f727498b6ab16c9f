import type { IdRange } from './waiting-range.ts';

const LAGOS_MS = 3_600_000;
/** Digits of an id that say when it was given, in milliseconds since 1970. */
const MOMENT = 12;

/** What is known of ids in a statement. */
export interface IdMonths {
  /** For the name of the statement: another one for other months. */
  readonly key: string;
  /** SQL: that the id in this column was given in these months. */
  readonly within: (column: string) => string;
}

/**
 * The months in Lagos in which ids were given, as the parts of events, deliveries and attempts have them: other parts are left out.
 *
 * They stand in the statement as constants, so that parts are left out when it is planned, once a month. As parameters they would be
 * left out when it begins; and where such a statement also looks for single ids, PostgreSQL 18 leaves parts out a second time while it
 * runs, and then frees memory twice when it finds a row that another transaction has changed since: the server crashes, or misses rows.
 */
export function monthsOf({ first, last }: IdRange): IdMonths {
  const [from, until] = [startOfMonth(first, 0), startOfMonth(last, 1)];
  const end = until.length > MOMENT ? 'f'.repeat(MOMENT) : until;
  return {
    key: `${from}-${end}`,
    within: (column) => `${column} >= '${firstIdAt(from)}'::uuid and ${column} < '${firstIdAt(end)}'::uuid`,
  };
}

/** When the month began of which an id is, or one so many months after it, in hexadecimal digits. */
function startOfMonth(id: string, months: number): string {
  const lagos = new Date(Number.parseInt(id.replaceAll('-', '').slice(0, MOMENT), 16) + LAGOS_MS);
  const begun = Math.max(0, Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() + months) - LAGOS_MS);
  return begun.toString(16).padStart(MOMENT, '0');
}

/** As `outbox.first_id_at`, which bounds the parts. */
const firstIdAt = (moment: string): string => `${moment.slice(0, 8)}-${moment.slice(8)}-7000-8000-000000000000`;
