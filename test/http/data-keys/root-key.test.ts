import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { rewrapDataKeys } from '#modules/data-keys';
import { stampInstallation } from '#modules/installation';
import { startApp, type TestApp } from '../../support/app.ts';
import { asOwnerOf, createDatabase } from '../../support/database.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { MASTER_KEY } from '../../support/process.ts';

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
