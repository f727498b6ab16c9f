import { equalDigests } from './digest.ts';
import type { Keyring } from './keyring.ts';
import { AlteredRecord, authenticated, type Stored } from './sealed-column.ts';

/**
 * The unencrypted columns of a row that decide where money, an event or a code goes. The row has a MAC of them in `routing_mac`: written
 * with the row, rewritten whenever one of them changes, and verified wherever they are used. Each room names its own.
 */
export interface RoutingFacts {
  /** With its schema, e.g. `wallets.partner_wallet`. */
  readonly table: string;
  /** As the code calls them (`partnerId`), in their order in the MAC. The first one names the row, and never changes. */
  readonly columns: readonly [string, ...string[]];
  /** In SQL, which rows have a MAC; absent: all. */
  readonly where?: string;
}

/** What a row has in these columns. */
export type FactsOf<Facts extends RoutingFacts> = { readonly [Column in Facts['columns'][number]]: Stored };

/** A row as it is stored. */
export type Vouched<Facts extends RoutingFacts> = FactsOf<Facts> & { readonly routingMac: Uint8Array | null };

type Vouch = Pick<Keyring, 'vouchFor'>;

/** What the key of these codes is used for. */
const PURPOSE = 'routing';

/**
 * The message authentication code of a row's facts (HMAC-SHA-256), by a key that the database does not have and that no exchange
 * of keys replaces: who writes to the tables alone makes none.
 */
export function routingMacOf<Facts extends RoutingFacts>(keyring: Vouch, facts: Facts, row: FactsOf<Facts>): Buffer {
  const { table, columns } = facts;
  return macOf(
    keyring,
    table,
    columns.map((column) => row[column as keyof typeof row]),
  );
}

const macOf = (keyring: Vouch, table: string, values: readonly Stored[]): Buffer =>
  keyring.vouchFor(PURPOSE, JSON.stringify([table, ...values.map(authenticated)]));

/**
 * Passes a row that stands as we stored it. Before anything is done by its facts, and before a MAC of a change of them is written.
 *
 * @throws AlteredRecord for any other one
 */
export function assertAuthentic<Facts extends RoutingFacts>(keyring: Vouch, facts: Facts, row: Vouched<Facts>): void {
  if (isAuthentic(keyring, facts, row)) return;
  throw new AlteredRecord(facts.table, [authenticated(row[facts.columns[0] as keyof typeof row])]);
}

/** The error of `assertAuthentic`, for caches that refuse an altered row when it is used. */
export function alteredIn(verify: () => void): AlteredRecord | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof AlteredRecord) return error;
    throw error;
  }
}

/** Whether a row stands as we stored it. */
export const isAuthentic = <Facts extends RoutingFacts>(keyring: Vouch, facts: Facts, row: Vouched<Facts>): boolean =>
  row.routingMac !== null && equalDigests(row.routingMac, routingMacOf(keyring, facts, row));

/** What a column is called in the database. */
export const columnNamed = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Selects what of a row is verified, for a statement in SQL that reads several rows at once: its facts and their MAC as JSON, for
 * `readRow`. Of columns that are texts, lists of them, numbers, booleans or UUIDs.
 */
export const rowInSql = ({ columns }: RoutingFacts, alias: string): string => {
  const named = columns.map((column) => `'${column}', ${alias}.${columnNamed(column)}`);
  return `json_build_object(${named.join(', ')}, 'routingMac', encode(${alias}.routing_mac, 'hex'))`;
};

/** What `rowInSql` selected. */
export type RowInSql<Facts extends RoutingFacts> = FactsOf<Facts> & { readonly routingMac: string | null };

/** The same as a row that can be verified. */
export const readRow = <Facts extends RoutingFacts>(row: RowInSql<Facts>): Vouched<Facts> => ({
  ...row,
  routingMac: row.routingMac === null ? null : Buffer.from(row.routingMac, 'hex'),
});
