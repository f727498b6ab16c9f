/** A row that breaks an invariant: what names it, and what is wrong with it. */
export type OffendingRow = Record<string, unknown>;

/** What a check looks at: everything, or what is new since a moment. */
export interface Scope {
  /** Absent: everything. */
  readonly since: Date | undefined;
  /** An SQL condition: the row is in scope by this column, which is a timestamptz. */
  readonly moment: (column: string) => string;
  /** The same, and ten minutes before: for rows beside which the one in scope is held, and that may be a little older. */
  readonly around: (column: string) => string;
  /** An SQL condition: the row is in scope by this column, which is a UUID of version 7. */
  readonly id: (column: string) => string;
}

interface Described {
  /** In snake case: the name of a check in answers, logs and metrics. */
  readonly name: string;
  /** What it promises, in one sentence. */
  readonly promise: string;
  /** Why it can be told of everything only; absent where it can be told of what is new alone. */
  readonly wholeOnly?: string;
}

/** A time, from one moment until just before another; without an end on the side that it lacks. */
export interface Slice {
  from: Date | undefined;
  to: Date | undefined;
}

/** Told by one query, and so of one snapshot. */
export interface SqlInvariant extends Described {
  /** A query whose rows break the invariant. */
  offenders(scope: Scope): string;
  /**
   * Where everything is more than one query can tell in its time: it is told slice by slice. A query for the slices, as `starts` and
   * `ends` in ISO 8601, null for none; each row that breaks the invariant is in the scope of one of them.
   */
  readonly slices?: string;
}

/** Reads rows in one snapshot, and writes nothing. */
export interface Reader {
  /** The rows of a query, one after the other: few of them are in memory at a time. */
  stream<Row extends OffendingRow>(query: string): AsyncIterable<Row>;
}

/** Told by a program that reads rows, e.g. because it needs a key that the database lacks. */
export interface StreamedInvariant extends Described {
  /** The rows that break the invariant. */
  find(reader: Reader, scope: Scope): AsyncIterable<OffendingRow>;
}

/** Something that must be true of the stored rows at any moment. A room exports those of its own tables. */
export type Invariant = SqlInvariant | StreamedInvariant;

/**
 * An SQL condition: an event of this reference may be one that the sandbox sent for show, about nothing that has happened. None
 * is in live.
 */
export type IsSample = (reference: string) => string;

const MARGIN_MS = 10 * 60 * 1000;

/** Everything that is stored. */
export const everything: Scope = { since: undefined, moment: () => 'true', around: () => 'true', id: () => 'true' };

/** What is new since a moment. */
export const newSince = (since: Date): Scope => ({
  since,
  moment: (column) => `${column} >= ${literal(since)}`,
  around: (column) => `${column} >= ${literal(new Date(since.getTime() - MARGIN_MS))}`,
  id: (column) => `${column} >= '${firstIdAt(since)}'::uuid`,
});

/** What is of a slice. */
export const within = ({ from, to }: Slice): Scope => {
  const between = (column: string, marginMs: number): string =>
    [
      ...(from === undefined ? [] : [`${column} >= ${literal(new Date(from.getTime() - marginMs))}`]),
      ...(to === undefined ? [] : [`${column} < ${literal(new Date(to.getTime() + marginMs))}`]),
      'true',
    ].join(' and ');
  return {
    since: from,
    moment: (column) => between(column, 0),
    around: (column) => between(column, MARGIN_MS),
    id: (column) =>
      [
        ...(from === undefined ? [] : [`${column} >= '${firstIdAt(from)}'::uuid`]),
        ...(to === undefined ? [] : [`${column} < '${firstIdAt(to)}'::uuid`]),
        'true',
      ].join(' and '),
  };
};

const literal = (moment: Date): string => `'${moment.toISOString()}'::timestamptz`;

/** The smallest UUID of version 7 at a moment: its first 48 bits are milliseconds (RFC 9562 5.7). */
const firstIdAt = (moment: Date): string => {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
