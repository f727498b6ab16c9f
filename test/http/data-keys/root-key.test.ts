import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { listDataKeys, rekey, rewrapDataKeys } from '#modules/data-keys';
import { stampInstallation } from '#modules/installation';
import { sealedColumns } from '../../../src/sealed-columns.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { asOwnerOf } from '../../support/as-owner.ts';
import { createDatabase } from '../../support/database.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { MASTER_KEY } from '../../support/process.ts';
import { unnamed } from '../../support/sealed-before.ts';

const OTHER = 'a3'.repeat(31).concat('0f');
const by = { actor: 'operator', reason: 'who had it has left' };
const FOREIGN = /^MASTER_KEY is not the key this database was sealed with/;
type Running = Awaited<ReturnType<typeof startApp>>;

/** Works with a server on this database, given these root keys. */
async function withServer<T>(
  url: string,
  env: Record<string, string>,
  work: (server: TestApp) => Promise<T>,
): Promise<T> {
  const server: Running = await startApp(url, env);
  try {
    const { db, roots } = server.resources;
    await stampInstallation(db, 'sandbox', [roots[0].id, ...roots.map(({ id }) => id)]);
    return await work(server);
  } finally {
    await server.close();
  }
}
const started = (url: string, env: Record<string, string>) => withServer(url, env, async () => 'started');

describe('MASTER_KEY', () => {
  it('changes step by step: with both, rewrap, with the new one alone; what was sealed opens all the time', async () => {
    const url = await createDatabase();
    const both = { MASTER_KEY: OTHER, MASTER_KEY_PREVIOUS: MASTER_KEY };
    const { partner, customer } = await withServer(url, {}, async (server) => {
      const made = await server.newPartner();
      return { partner: made, customer: await newCustomer(server, made) };
    });
    const find = async (server: TestApp) =>
      (await server.call('POST', `/v2/partner/paytag/bvn/${customer.bvn}`, { headers: partner.headers })).statusCode;
    await expect(started(url, { MASTER_KEY: OTHER })).rejects.toThrow(
      /^MASTER_KEY is not the key this database was sealed with/,
    );
    expect(await withServer(url, both, find)).toBe(200);
    expect(await withServer(url, {}, find)).toBe(200);
    const rewrapped = await withServer(url, both, (server) => rewrapDataKeys(asOwnerOf(server), by));
    expect(rewrapped).toEqual({ keys: 4, rootKey: fingerprintOf(Buffer.from(OTHER, 'hex')) });
    expect(await withServer(url, { MASTER_KEY: OTHER }, find)).toBe(200);
    await expect(started(url, {})).rejects.toThrow(FOREIGN);
  });

  it('that is right does not help when a stored key was changed, or given the place of another', async () => {
    const url = await createDatabase();
    await withServer(url, {}, (server) =>
      server.owner.query(
        `update data_keys.data_key set wrapped = (select wrapped from data_keys.data_key where id = 2) where id = 1`,
      ),
    );
    await expect(started(url, {})).rejects.toThrow(/^the key 1 in data_keys.data_key does not open with its root key/);
  });
});

it('an installation from before keys were stored goes on: its values open, and a rekey seals them with a key of its own', async () => {
  const url = await createDatabase();
  const root = Buffer.from(MASTER_KEY, 'hex');
  const owner = '00000000-0000-7000-8000-00000000000a';
  await withServer(url, {}, async (server) => {
    await server.owner.query('delete from data_keys.data_key');
    await server.owner.query(
      `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed) values ($1, 'PARTNER', $2, $3)`,
      [owner, unnamed(root, 'outbox.receiver.client_id', 'id'), unnamed(root, 'outbox.receiver.secret', 'of old')],
    );
  });
  await withServer(url, {}, async (server) => {
    const secret = async () => {
      const { rows } = await server.owner.query('select secret_sealed as sealed from outbox.receiver');
      return {
        version: rows[0].sealed[0],
        text: server.resources.keyring.open('outbox.receiver.secret', rows[0].sealed),
      };
    };
    expect(await secret()).toEqual({ version: 1, text: 'of old' });
    const options = { columns: sealedColumns, signal: new AbortController().signal, settleMs: 0 };
    expect(await rekey(asOwnerOf(server), by, options)).toMatchObject({ sealed: 2, left: 0 });
    expect(await secret()).toEqual({ version: 2, text: 'of old' });
    const states = await listDataKeys(server.resources, sealedColumns);
    expect(states.map(({ id, use, status }) => `${id} ${use} ${status}`)).toEqual([
      '1 SEAL RETIRED',
      '2 INDEX CURRENT',
      '3 SIGN RETIRED',
      '4 POSTING CURRENT',
      '5 SEAL CURRENT',
      '6 SIGN CURRENT',
    ]);
  });
});
