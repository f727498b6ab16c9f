import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();
const TARGET = 'http://127.0.0.1:9/hooks';

const read = ({ headers }: TestPartner) => server.call('GET', '/v2/partner/webhook', { headers });
const put = ({ headers }: TestPartner, payload: object) =>
  server.call('PUT', '/v2/partner/webhook', { headers, payload });
const rotate = ({ headers }: TestPartner, payload?: object) =>
  server.call('POST', '/v2/partner/webhook/secret/rotate', { headers, ...(payload && { payload }) });

describe('GET /v2/partner/webhook', () => {
  it('200: where events go, and since when its secret is, never the secret', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await read(partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { createdAt } = answer.json();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(answer.json()).toEqual({
      url: TARGET,
      status: 'ACTIVE',
      pending: 0,
      secret: { since: createdAt },
      createdAt: at,
      updatedAt: at,
    });
    expect(answer.body).not.toContain('whsec_');
  });

  it('200: no url while there is none', async () => {
    expect((await read(await server.newPartner())).json()).not.toHaveProperty('url');
  });

  it('401: without credentials', async () => {
    expect((await server.call('GET', '/v2/partner/webhook')).statusCode).toBe(401);
  });
});

describe('PUT /v2/partner/webhook', () => {
  it('200: sends events elsewhere, what waits included, and is in the audit log', async () => {
    const { partner } = await fundedWallet(server, 5);
    const dueOf = async () =>
      (
        await server.resources.pool.query(
          'select d.due_at from outbox.delivery d join outbox.receiver r on r.id = d.receiver_id where r.owner_id = $1',
          [partner.id],
        )
      ).rows;
    expect(await dueOf()).toEqual([{ due_at: null }]);
    const answer = await put(partner, { url: TARGET });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual((await read(partner)).json());
    expect(answer.json().url).toBe(TARGET);
    expect(await dueOf()).toEqual([{ due_at: expect.any(Date) }]);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.url',
      before: { webhookUrl: null },
      after: { webhookUrl: TARGET },
    });
  });

  it.each([null, ''])('200: %j keeps events until there is one again', async (url) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    expect((await put(partner, { url })).statusCode).toBe(200);
    expect((await read(partner)).json()).not.toHaveProperty('url');
  });

  it.each([
    ['no url', {}, 'INVALID_PARAMETER', 'url: '],
    ['a number', { url: 7 }, 'INVALID_PARAMETER', 'url: '],
    ['no URL', { url: 'acme' }, 'INVALID_PARAMETER', 'url: must be an http or https URL'],
    ['another scheme', { url: 'ftp://acme.example/' }, 'INVALID_PARAMETER', 'url: must be an http or https URL'],
    ['userinfo', { url: 'https://a:b@acme.example/' }, 'INVALID_PARAMETER', 'url: must not hold a user name'],
    ['an odd port', { url: 'https://acme.example:25/' }, 'WEBHOOK_TARGET_REFUSED', 'must use port 443'],
    ['a private address', { url: 'https://10.0.0.1/hooks' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
    ['a metadata address', { url: 'http://169.254.169.254/' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
    ['a mapped address', { url: 'https://[::ffff:10.0.0.1]/' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
  ])('400: %s, with the reason, and the one before stays', async (_, body, errorCode, reason) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await put(partner, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errorCode).toBe(errorCode);
    expect(answer.json().message + answer.json().errors).toContain(reason);
    expect((await read(partner)).json().url).toBe(TARGET);
  });

  it('401: without credentials', async () => {
    expect((await server.call('PUT', '/v2/partner/webhook', { payload: { url: TARGET } })).statusCode).toBe(401);
  });
});

describe('POST /v2/partner/webhook/test', () => {
  const test = ({ headers }: TestPartner) => server.call('POST', '/v2/partner/webhook/test', { headers });

  it('200: an event in the contract’s envelope that nobody takes for money, due at once', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await test(partner);
    expect(answer.statusCode).toBe(200);
    const { id, eventId, reference } = answer.json();
    expect(answer.json()).toMatchObject({
      event: 'webhook.test',
      ownerId: partner.id,
      status: 'PENDING',
      attempts: [],
    });
    const { rows } = await server.resources.pool.query(
      `select e.body, d.due_at is not null as due from outbox.event e join outbox.delivery d on d.event_id = e.id
        where e.id = $1 and d.id = $2`,
      [eventId, id],
    );
    expect(rows).toMatchObject([{ due: true }]);
    expect(JSON.parse(rows[0].body)).toEqual({
      event: 'webhook.test',
      reference,
      data: { Test: true, Message: 'A test event: no money has moved.', CreatedAt: expect.any(String) },
    });
    expect(rows[0].body).toBe(JSON.stringify(JSON.parse(rows[0].body)));
    expect((await test(partner)).json().reference).not.toBe(reference);
  });

  it('401: without credentials', async () => {
    expect((await server.call('POST', '/v2/partner/webhook/test')).statusCode).toBe(401);
  });

  it('409: there is nobody to tell', async () => {
    const answer = await test(await server.newPartner());
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('WEBHOOK_URL_NOT_SET');
  });
});

describe('POST /v2/partner/webhook/secret/rotate', () => {
  it('200: a new secret, told this once; then the facts of it', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await rotate(partner);
    expect(answer.statusCode).toBe(200);
    const { webhookSecret, previousUntil } = answer.json();
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhookSecret).not.toBe(partner.webhookSecret);
    const facts = (await read(partner)).json();
    expect(facts.secret.previousUntil).toBe(previousUntil);
    expect(Date.parse(previousUntil) - Date.parse(facts.secret.since)).toBe(24 * 3_600_000);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.secret.rotate',
    });
  });

  it('200: at once, with nothing left of the one before', async () => {
    const partner = await server.newPartner();
    await rotate(partner);
    expect((await rotate(partner, { immediately: true })).json()).not.toHaveProperty('previousUntil');
    expect((await read(partner)).json().secret).not.toHaveProperty('previousUntil');
  });

  it('400: immediately that is no boolean', async () => {
    expect((await rotate(await server.newPartner(), { immediately: 1 })).statusCode).toBe(400);
  });

  it('401: without credentials', async () => {
    expect((await server.call('POST', '/v2/partner/webhook/secret/rotate')).statusCode).toBe(401);
  });

  it('409: two secrets sign already', async () => {
    const partner = await server.newPartner();
    await rotate(partner);
    const answer = await rotate(partner);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('SECRET_OVERLAP_RUNNING');
  });
});
