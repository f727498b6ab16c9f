import { afterAll, expect, it } from 'vitest';
import { openCaches } from '#lib/caches.ts';
import { systemClock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { createLog } from '#lib/log.ts';
import { getApplication, payTagApplicationId } from '#modules/applications';
import { authenticatePartner, cachePartnerCredentials, listPartners } from '#modules/partners';
import { migrateDatabase } from '../../src/migrate.ts';
import { keyring } from '../support/outbox.ts';
import { databaseOf010 } from '../support/released-database.ts';
import { sealedColumn } from '../support/sealed.ts';

const PARTNER = 'pc_0123456789abcdef0123456789abcdef';
const APPLICATION = 'app_fedcba9876543210fedcba9876543210';

let handle: DatabaseHandle | undefined;
afterAll(() => handle?.close());

it('partners and applications of 0.1.0 keep their client ids, of which nothing readable is left in their tables or files', async () => {
  const url = await databaseOf010();
  const { db, pool } = (handle = openDatabase(url, 2, () => undefined));
  const partner = await insertOwner('partners.partner (name, redirect_url, client_id)', [
    'Acme',
    'https://p.example',
    PARTNER,
  ]);
  const application = await insertOwner(`applications.application (name, namespace, status, client_id)`, [
    'Market',
    'market',
    'ACTIVE',
    APPLICATION,
  ]);
  await pool.query('insert into partners.api_key (partner_id, digest) values ($1, $2)', [partner, sha256('key')]);
  for (const [ownerId, kind, clientId] of [
    [partner, 'PARTNER', PARTNER],
    [application, 'APPLICATION', APPLICATION],
  ] as const) {
    await pool.query(
      'insert into outbox.receiver (id, owner_id, owner_kind, client_id_sealed, secret_sealed) values ($1, $1, $2, $3, $4)',
      [ownerId, kind, keyring.seal(sealedColumn('outbox.receiver.client_id_sealed'), [ownerId], clientId), 'secret'],
    );
  }
  await migrateDatabase(url);

  const page = { limit: 10, offset: 0 };
  const given = { clientId: PARTNER, apiKey: 'key' };
  const caches = openCaches({ databaseUrl: url, clock: systemClock, log: createLog('silent') });
  const partnerCredentials = cachePartnerCredentials(caches, db, { clock: systemClock, environment: 'sandbox' });
  const authenticated = await authenticatePartner({ partnerCredentials, environment: 'sandbox' }, given);
  await caches.close();
  expect(authenticated).toMatchObject({ id: partner });
  expect(await listPartners({ db, keyring }, page)).toMatchObject({
    items: [{ id: partner, clientId: PARTNER }],
    count: 1,
  });
  expect(await getApplication({ db, keyring }, application)).toMatchObject({ name: 'Market', clientId: APPLICATION });
  const { rows } = await pool.query('select id, client_id_digest as digest from applications.application');
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: payTagApplicationId, digest: null },
      { id: application, digest: sha256(APPLICATION) },
    ]),
  );
  await pool.query('checkpoint');
  for (const table of ['partners.partner', 'applications.application']) {
    const { rows: files } = await pool.query<{ bytes: Buffer }>(
      'select pg_read_binary_file(pg_relation_filepath($1)) as bytes',
      [table],
    );
    const bytes = files[0]?.bytes.toString('latin1');
    expect(bytes).toContain(table === 'partners.partner' ? 'Acme' : 'Market');
    for (const clientId of [PARTNER, APPLICATION]) expect(bytes).not.toContain(clientId);
  }

  async function insertOwner(into: string, values: string[]): Promise<string> {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const inserted = await pool.query<{ id: string }>(`insert into ${into} values (${places}) returning id`, values);
    return inserted.rows[0]?.id ?? '';
  }
});
