import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { rewrapDataKeys } from '#modules/data-keys';
import { RootKeyUnavailable } from '../../../src/providers/kms/port.ts';
import { vaultRootKey } from '../../../src/providers/kms/vault-transit.ts';
import { startFailure } from '../../../src/start-failure.ts';
import { startApp } from '../../support/app.ts';
import { asOwnerOf, createDatabase } from '../../support/database.ts';
import { failureOf, useStandIn } from '../../support/provider.ts';
import type { Answer } from '../../support/receiver.ts';

const standIn = useStandIn();
const { receiver } = standIn;
const TOKEN = 'hvs.not-to-be-seen';
const PLAINTEXT = 'the key of a test';
const root = () => vaultRootKey(standIn.client, { mount: 'transit', key: 'paytag', token: TOKEN });
const failing = (asked: Promise<unknown>) => failureOf(asked, [TOKEN, PLAINTEXT]);

/** The transit engine as its documentation has it: `data` in an envelope, keys that have versions. */
function transit(): (request: { path: string; body: Buffer; headers: object }) => Answer {
  const key = randomBytes(32);
  return ({ path, body, headers }) => {
    if (!JSON.stringify(headers).includes(TOKEN)) return json(403, { errors: ['permission denied'] });
    const given = JSON.parse(body.toString());
    if (path === '/v1/transit/encrypt/paytag') {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([iv, cipher.update(given.plaintext), cipher.final(), cipher.getAuthTag()]);
      return envelope({ ciphertext: `vault:v1:${sealed.toString('base64')}`, key_version: 1 });
    }
    if (path !== '/v1/transit/decrypt/paytag') return json(404, { errors: [] });
    const bytes = Buffer.from(String(given.ciphertext).slice('vault:v1:'.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
    return envelope({ plaintext });
  };
}
const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const envelope = (data: object): Answer =>
  json(200, { request_id: 'ab00ba0f-9e45', lease_id: '', renewable: false, lease_duration: 0, data, wrap_info: null });

beforeEach(() => receiver.reset());

describe('a key of the transit engine', () => {
  it('wraps and unwraps by the documented requests, with the token in its header alone', async () => {
    receiver.answer(transit());
    const wrapped = await root().wrap(PLAINTEXT);
    expect(wrapped.toString()).toMatch(/^vault:v1:/);
    expect(await root().unwrap(wrapped)).toBe(PLAINTEXT);
    expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/transit/encrypt/paytag',
      'POST /v1/transit/decrypt/paytag',
    ]);
    for (const { headers, body } of receiver.requests) {
      expect(headers['x-vault-token']).toBe(TOKEN);
      expect(body.toString()).not.toContain(TOKEN);
    }
  });

  it.each([
    ['refuses our token', json(403, { errors: ['permission denied'] }), /refuses our credentials/],
    ['has no such key', json(404, { errors: [] }), /no such key or mount/],
    ['is sealed', json(503, { errors: ['Vault is sealed'] }), /status 503/],
    ['says something else', json(200, { data: { ciphertext: 'hello' } }), /not as documented/],
  ])('that %s is told in one line, without the token', async (_what, answer, why) => {
    receiver.answer(() => answer);
    const error = await failing(root().wrap(PLAINTEXT));
    expect(error).toBeInstanceOf(RootKeyUnavailable);
    expect(startFailure(error)).toMatch(/^Vault does not encrypt with the key paytag of transit: [^\n]+$/);
    expect(error.message).toMatch(why);
  });
});

it('a server moves from MASTER_KEY to Vault, starts without MASTER_KEY, and not without Vault', async () => {
  receiver.answer(transit());
  const url = await createDatabase();
  const vault = { KMS_PROVIDER: 'vault', KMS_VAULT_URL: standIn.origin, KMS_VAULT_TOKEN: TOKEN };
  const first = await startApp(url);
  const { id } = await first.newPartner();
  await first.close();
  const moving = await startApp(url, vault);
  await rewrapDataKeys(asOwnerOf(moving), { actor: 'operator', reason: 'to the vault' });
  await moving.close();
  const without = { ...vault, MASTER_KEY: '' };
  const moved = await startApp(url, without);
  expect((await moved.operate('GET', `/partners/${id}`)).statusCode).toBe(200);
  await moved.close();
  receiver.answer(() => json(503, { errors: ['Vault is sealed'] }));
  await expect(startApp(url, without)).rejects.toThrow(/^Vault does not decrypt/);
});
