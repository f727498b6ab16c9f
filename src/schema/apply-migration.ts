import type { Client } from 'pg';
import { recordApplied } from './applied.ts';
import type { Migration } from './migrations.ts';
import { type Say, withoutQueueing } from './without-queueing.ts';

/** Applies one migration, and writes that down: in one transaction, or where it says so statement by statement. */
export async function applyMigration(client: Client, migration: Migration, say: Say): Promise<void> {
  const what = `migration ${migration.tag}`;
  if (migration.isOutsideTransaction) {
    say(`${what} goes on beside everything else: it may take long, and keeps nobody waiting`);
    await client.query('set lock_timeout = 0');
    for (const statement of migration.statements) await runAlone(client, statement);
    await recordApplied(client, migration);
    return;
  }
  await withoutQueueing(client, { what, say }, async () => {
    for (const statement of migration.statements) await client.query(statement);
    await recordApplied(client, migration);
  });
}

/** Names the index and its table, with the schema of both. */
const CREATE_INDEX =
  /^[ \t]*create +(?:unique +)?index +concurrently +if +not +exists +"?(?<index>\w+)"? +on +"?(?<schema>\w+)"?\."?\w+"?/im;

/**
 * A statement that waits for others and nobody for it, so that it need not give up. An index that is INVALID, because a run
 * before this one broke off, would count as one that exists: it is made anew.
 */
async function runAlone(client: Client, statement: string): Promise<void> {
  const { index, schema } = CREATE_INDEX.exec(statement)?.groups ?? {};
  if (index !== undefined) {
    const name = `${client.escapeIdentifier(schema ?? '')}.${client.escapeIdentifier(index)}`;
    const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      name,
    ]);
    if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  }
  await client.query(statement);
}
