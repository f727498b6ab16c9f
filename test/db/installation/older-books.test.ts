import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#drizzle/migrator';
import { drizzle } from '#drizzle/node-postgres';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { payTagApplicationId } from '#modules/applications';
import { settlePendingTo } from '#modules/ledger';
import { migrateDatabase } from '../../../src/migrate.ts';
import { checkLedger } from '../../support/check-ledger.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { newDatabaseFolder } from '../../support/memory.ts';
import { post, tryPost, untold } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

/** The last migration of version 0.1.0. */
const LAST_OF_0_1_0 = 10;
const OPERATOR = '00000000-0000-0000-0000-000000000000';
const partner = crypto.randomUUID();
const customer = crypto.randomUUID();
const CLEARING = 1;
const SUSPENSE = 9;
let [float, ada, hers]: number[] = [];
let database: DatabaseHandle;

/** Brings an empty database to where version 0.1.0 left it. */
async function migrateTo010(client: pg.Client): Promise<void> {
  const folder = await newDatabaseFolder('paytag-test-0.1.0-');
  try {
    await cp(new URL('../../../migrations', import.meta.url), folder, { recursive: true });
    const journal = join(folder, 'meta/_journal.json');
    const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
    await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, LAST_OF_0_1_0 + 1) }));
    await migrate(drizzle(client), { migrationsFolder: folder, migrationsSchema: 'drizzle' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A posting as version 0.1.0 sent it: without a namer and a MAC, recognised by a digest of the accounts too. */
const old = (from: number, to: number, amount: number, more: object) => ({
  owner: partner,
  partner,
  type: 'PARTNER_WALLET_CREDIT',
  requestHash: '0a'.repeat(32),
  amount,
  currency: 'NGN',
  source: from,
  destination: to,
  legs: [
    { account: from, amount: -amount },
    { account: to, amount },
  ],
  ...more,
});

async function oldBooks(client: pg.Client): Promise<void> {
  const account = async (kind: string, reference: string): Promise<number> => {
    const { rows } = await client.query(
      `insert into ledger.account (kind, partner_id, reference, currency, floor, emits) values ($1, $2, $3, 'NGN', 0, $4) returning id`,
      [kind, partner, reference, kind === 'WALLET'],
    );
    return Number(rows[0].id);
  };
  [float, ada, hers] = [
    await account('FLOAT', partner),
    await account('WALLET', 'PW-1'),
    await account('WALLET', 'PW-2'),
  ];
  await client.query(
    `insert into partners.partner (id, name, client_id, redirect_url) values ('${partner}', 'Acme', 'acme', 'https://p.example');
     with s as (insert into applications.subject (application_id, external_id, display_name)
                  values ('${payTagApplicationId}', '${customer}', 'Ada Obi') returning id),
          t as (insert into tags.tag (handle, subject_id, created_by_app_id)
                  select 'ada', id, '${payTagApplicationId}' from s returning id)
     insert into customers.customer (id, tag_id, bvn_sealed, bvn_index, first_name, last_name)
       select '${customer}', id, 'bvn', 'bvn', 'Ada', 'Obi' from t`,
  );
  for (const [index, id] of [ada, hers].entries()) {
    const values = [`PW-${index + 1}`, partner, customer, id, `000000000${index}`, index === 0];
    await client.query(
      `insert into wallets.partner_wallet (reference, partner_id, customer_id, account_id, nuban, is_primary, tier, revoked_at)
         values ($1, $2, $3, $4, $5, $6, 2, case when $6 then null else now() end)`,
      values,
    );
  }
  const transfer = {
    type: 'TRANSFER',
    owner: customer,
    reference: 'TRF-1',
    limitAccount: ada,
    externalReference: 'rent',
  };
  const refund = { type: 'PARTNER_REFUND', reference: 'refund', original: 3, suspenseAccount: SUSPENSE };
  for (const posting of [
    old(CLEARING, float, 10_000, { type: 'FLOAT_FUNDING', owner: OPERATOR, reference: 'float-1' }),
    old(float, ada, 4_000, { reference: 'credit', comment: 'May' }),
    old(ada, float, 1_000, { type: 'PARTNER_WALLET_DEBIT', reference: 'debit' }),
    old(ada, hers, 700, transfer),
    old(CLEARING, ada, 5, { type: 'PARTNER_GATEWAY', reference: 'report', predecidedRefusal: 'WALLET_PNC' }),
  ]) {
    await client.query('select ledger.post($1)', [JSON.stringify([posting])]);
  }
  await client.query(`update ledger.account set status = 'PNC' where id = $1`, [ada]);
  await client.query('select ledger.post($1)', [JSON.stringify([old(float, ada, 1_000, refund)])]);
}

beforeAll(async () => {
  const url = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrateTo010(client);
  await oldBooks(client);
  await client.end();
  await migrateDatabase(url);
  database = openDatabase(url, 4, () => undefined);
});
afterAll(() => database?.close());

const named = (reference: string, more: object = {}) => ({ owner: partner, partner, reference, ...more });

it('books of version 0.1.0 are right after the migrations', async () => {
  expect(await checkLedger(database.db)).toMatchObject({ ok: true });
});

it('what a customer had spent counts on, in all their wallets together', async () => {
  const { rows } = await database.pool.query('select spent::int from ledger.spending where holder_id = $1', [customer]);
  expect(rows).toEqual([{ spent: 700 }]);
});

it('a reference that was used before answers as it did, and another request under it is refused', async () => {
  const credit = postingBetween(float ?? 0, ada ?? 0, 4_000n, named('credit', { comment: 'May' }));
  expect(await post(database.db, credit)).toMatchObject({
    replayed: true,
    entries: [{ amount: -4_000n }, { amount: 4_000n }],
  });
  const other = await tryPost(database.db, { ...credit, comment: 'June' });
  expect(other).toMatchObject({ refusal: 'REFERENCE_REUSED' });
  const funding = { namer: 'OPERATOR', type: 'FLOAT_FUNDING' } as const;
  const again = postingBetween(CLEARING, float ?? 0, 10_000n, named('float-1', funding));
  expect(await post(database.db, again)).toMatchObject({ replayed: true });
});

it('a report that was refused may come again under its reference', async () => {
  const report = postingBetween(CLEARING, float ?? 0, 5n, named('report', { namer: 'RAIL', type: 'PARTNER_GATEWAY' }));
  expect(await post(database.db, report)).toMatchObject({ replayed: false });
});

it('a refund that waited reaches its wallet once it takes money again', async () => {
  await database.pool.query(`update ledger.account set status = 'Enabled' where id = $1`, [ada]);
  const settle = () => database.db.transaction((tx) => settlePendingTo(tx, ada ?? 0, { afterSettling: untold }));
  expect(await settle()).toBe(1);
  expect(await checkLedger(database.db)).toMatchObject({ ok: true });
});
