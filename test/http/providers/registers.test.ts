import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { rewrapDataKeys } from '#modules/keys';
import { dojahBvn } from '../../../src/providers/bvn/dojah.ts';
import { type BvnClaim, BvnProviderDown } from '../../../src/providers/bvn/port.ts';
import { type ProviderClient, providerClient } from '../../../src/providers/http-client.ts';
import { RootKeyUnavailable } from '../../../src/providers/kms/port.ts';
import { vaultRootKey } from '../../../src/providers/kms/vault-transit.ts';
import { startFailure } from '../../../src/start-failure.ts';
import { startApp } from '../../support/app.ts';
import { asOwnerOf, createDatabase } from '../../support/database.ts';
import { firstIsDead, useHttp2Server } from '../../support/http2-server.ts';
import { dojah, failureOf, useless, useStandIn } from '../../support/provider.ts';
import type { Answer } from '../../support/receiver.ts';

const standIn = useStandIn();
const { receiver } = standIn;

describe('Dojah', () => {
  const appId = '5f0e1d2c3b4a-app';
  const secretKey = 'prod_sk_not_to_be_seen';
  const claim = { bvn: '22212345678', firstName: 'Adá', lastName: 'Obi', dateOfBirth: '1990-05-17' };
  const phone = '+2348030009999';
  const { dateOfBirth: _, ...undated } = claim;
  const secrets = [appId, secretKey, claim.bvn, claim.firstName, claim.dateOfBirth, dojah.photo, '08030009999'];
  const verify = (given: BvnClaim = claim) => dojahBvn(standIn.client, { appId, secretKey }).verify(given);
  /** What the register holds for the BVN of the claim, but for what is given. */
  const registered = (is: Record<string, string | null> = {}) => dojah.registered({ bvn: claim.bvn, ...is });
  const mismatch = { outcome: 'mismatch' };

  beforeEach(() => receiver.reset());

  it('asks as documented: the BVN in the query, app and key in the headers, and says nothing else of the person', async () => {
    receiver.answer([registered()]);
    await verify({ ...claim, phone, email: 'ada@example.com' });
    const [request] = receiver.requests;
    expect(request).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(/^\/api\/v1\/kyc\/bvn\/advance\?/),
      headers: { appid: appId, authorization: secretKey, accept: 'application/json' },
      body: Buffer.alloc(0),
    });
    expect(standIn.queries).toEqual([{ bvn: claim.bvn }]);
  });

  describe('the verdict', () => {
    it('is all that leaves the adapter, with where a code may go: of photo and address nothing does', async () => {
      receiver.answer([registered()]);
      expect(await verify()).toEqual({ outcome: 'verified', phone, holdsEmail: false, holdsOtherName: false });
    });

    it.each([
      ['the first name', { first_name: 'BOLA', middle_name: null }],
      ['the last name', { last_name: 'EZE' }],
      ['the date of birth', { date_of_birth: '1990-05-18' }],
    ])('is mismatch when %s is another', async (__, is) => {
      receiver.answer([registered(is)]);
      expect(await verify()).toEqual(mismatch);
    });

    it.each([
      ['other names beside them', { first_name: 'NGOZI', middle_name: 'ADA', last_name: 'OBI-EZE' }],
      ['the date as the register writes it', { date_of_birth: '17-May-1990' }],
    ])('is verified with %s', async (__, is) => {
      receiver.answer([registered(is)]);
      expect(await verify()).toMatchObject({ outcome: 'verified' });
    });

    it('does not depend on a date that was not asked for', async () => {
      receiver.answer([registered({ date_of_birth: null })]);
      expect(await verify(undated)).toMatchObject({ outcome: 'verified' });
    });

    it.each(['notFound', 'noRecord', 'invalid'] as const)('is not-found on %s', async (reply) => {
      receiver.answer([dojah[reply]]);
      expect(await verify()).toEqual({ outcome: 'not-found' });
    });
  });

  describe('the phone', () => {
    it.each(['08030009999', '2348030009999', '+234 803 000 9999'])(
      'is one that the register writes as %s',
      async (text) => {
        receiver.answer([registered({ phone_number1: '08031112222', phone_number2: text })]);
        expect(await verify({ ...claim, phone })).toMatchObject({ outcome: 'verified', phone });
      },
    );

    it('is a mismatch when the register holds another one, or none', async () => {
      receiver.answer([registered({ phone_number1: '08031112222' }), registered({ phone_number1: null })]);
      expect(await verify({ ...claim, phone })).toEqual(mismatch);
      expect(await verify({ ...claim, phone })).toEqual(mismatch);
    });

    it('is the register’s first that takes messages, where none was given; none where it has none', async () => {
      receiver.answer([
        registered({ phone_number1: '01-2345678', phone_number2: '08031112222' }),
        registered({ phone_number1: '' }),
      ]);
      expect(await verify()).toMatchObject({ outcome: 'verified', phone: '+2348031112222' });
      expect(await verify()).toMatchObject({ outcome: 'verified', phone: undefined });
    });
  });

  describe('the e-mail address', () => {
    it('is held when the register has it in whatever case, and is no mismatch when it has another or none', async () => {
      receiver.answer([
        registered({ email: 'ADA@Example.com ' }),
        registered({ email: 'a@b.example' }),
        registered({ email: '' }),
      ]);
      const asked = { ...claim, email: 'ada@example.com' };
      expect(await verify(asked)).toMatchObject({ outcome: 'verified', holdsEmail: true });
      expect(await verify(asked)).toMatchObject({ outcome: 'verified', holdsEmail: false });
      expect(await verify(asked)).toMatchObject({ outcome: 'verified', holdsEmail: false });
    });
  });

  describe('the other name', () => {
    const asked = { ...claim, otherName: 'Ngọzi' };
    it.each([
      ['as the middle name', {}],
      ['beside the first name', { first_name: 'ADA NGOZI', middle_name: null }],
    ])('is held when the register has it %s', async (__, is) => {
      receiver.answer([registered(is)]);
      expect(await verify(asked)).toMatchObject({ outcome: 'verified', holdsOtherName: true });
    });

    it.each([
      ['another', 'Ngọzi', { middle_name: 'AMAKA' }],
      ['none', 'Ngọzi', { middle_name: '' }],
      ['only a part of it', 'Ngozi Dangote Group', {}],
      ['an initial', 'Ngozi', { middle_name: 'N' }],
      ['it as the first name alone', 'Ada', {}],
    ])('is not, and is no mismatch, when the register has %s', async (__, otherName, is) => {
      receiver.answer([registered(is)]);
      expect(await verify({ ...asked, otherName })).toMatchObject({ outcome: 'verified', holdsOtherName: false });
    });
  });

  describe('no verdict', () => {
    const whole = { bvn: claim.bvn, first_name: 'ADA', last_name: 'OBI', date_of_birth: '1990-05-17' };
    it.each([
      ['a name', { ...whole, last_name: undefined }],
      ['the date', { ...whole, date_of_birth: '' }],
      ['the number', { ...whole, bvn: undefined }],
    ])('is made of an answer that does not speak of %s', async (__, entity) => {
      receiver.answer([dojah.entity(entity)]);
      expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
    });

    it('is made of an answer about somebody else', async () => {
      receiver.answer([registered({ bvn: '22299999999' })]);
      expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
    });

    it.each(['badRequest', 'thirdPartyFailure', 'requestTimeout'] as const)('is made of %s', async (reply) => {
      receiver.answer([dojah[reply]]);
      expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
    });

    it.each([...useless, ['breaks the connection', 'drop'] as const])(
      'is had from a register that %s; it is asked once, and the error gives nothing away',
      async (__, reply) => {
        receiver.answer([reply, registered()]);
        expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
        expect(receiver.requests).toHaveLength(1);
      },
    );

    it('for want of the right key says so to the operator', async () => {
      receiver.answer([401, 402]);
      expect(await failureOf(verify(), secrets)).toMatchObject({
        name: 'BvnProviderDown',
        message: 'Dojah: it refuses our credentials (status 401)',
      });
      expect(await failureOf(verify(), secrets)).toMatchObject({
        name: 'BvnProviderDown',
        message: 'Dojah: our balance there is too low (status 402)',
      });
    });
  });
});

describe('Vault Transit', () => {
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
    json(200, {
      request_id: 'ab00ba0f-9e45',
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data,
      wrap_info: null,
    });

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
});

describe('the HTTP client', () => {
  const server = useHttp2Server('provider.example');
  const opened: ProviderClient[] = [];
  afterEach(async () => {
    for (const client of opened.splice(0)) await client.close();
  });

  test('a connection to a provider that went dead costs the request that was under way, not those that follow', async () => {
    const client = providerClient({ origin: `https://127.0.0.1:${server.port}`, timeoutMs: 3_000 });
    opened.push(client);
    server.answer(firstIsDead);
    await expect(client.ask({ method: 'GET', path: '/bank' })).rejects.toMatchObject({ message: 'no answer: timeout' });
    expect(await client.ask({ method: 'GET', path: '/bank' })).toEqual({ status: 200, body: {} });
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});
