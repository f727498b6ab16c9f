import type { Keyring } from '#lib/crypto/keyring.ts';
import { columnNamed, isAuthentic, type RoutingFacts, type Vouched } from '#lib/crypto/routing-facts.ts';
import { authenticated } from '#lib/crypto/sealed-column.ts';
import type { Retention, Room, StreamedInvariant } from '#lib/room.ts';
import { sealedColumns } from './signing-keys.ts';

/**
 * Verifies the MAC of every row that decides where money, events or codes go. Each use verifies its row first; this covers rows that
 * were not used yet. An older row with its older MAC passes; the invariants on audit entries find it.
 */
export const routingFactsAreAuthentic = (keyring: Keyring, all: readonly RoutingFacts[]): StreamedInvariant => ({
  name: 'routing_facts_are_authentic',
  promise: 'every row that decides where money, events and codes go is as our server wrote it',
  wholeOnly: 'no row says when it was changed outside the server',
  async *find(reader) {
    for (const facts of all) {
      const columns = facts.columns.map((column) => `${columnNamed(column)} as "${column}"`);
      const rows = reader.stream<Vouched<RoutingFacts>>(
        `select ${columns.join(', ')}, routing_mac as "routingMac" from ${facts.table} where ${facts.where ?? 'true'}`,
      );
      for await (const row of rows) {
        const [name] = facts.columns;
        if (!isAuthentic(keyring, facts, row)) yield { table: facts.table, [name]: authenticated(row[name]) };
      }
    }
  },
});

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'signing_keys.signing_key',
    kept: 'for ever; the private key until it stops signing',
    why: 'it verifies what it signed',
  },
  {
    table: 'data_keys.data_key',
    kept: 'for ever',
    why: 'values are sealed under it; "paytag keys" retires it',
  },
  {
    table: 'installation.stamp',
    kept: 'for ever',
    why: 'one row: what this installation is',
  },
];

export const room: Room = {
  retention,
  sealedColumns,
};
