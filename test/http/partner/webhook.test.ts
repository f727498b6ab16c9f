import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { endAll, partnerWithEvents, seeDeliveries, seeWebhook, TARGET } from '../../support/deliveries.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();

describe('GET /webhook', () => {
  const alone = useApp({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7,2001:db8:7::/64' });

  it('where events go, from which addresses they come and how old the secret is, never the secret', async () => {
    const partner = await alone.newPartner({ webhookUrl: TARGET });
    const answer = await seeWebhook(alone, partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { createdAt } = answer.json();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(answer.json()).toEqual({
      url: TARGET,
      status: 'ACTIVE',
      pending: 0,
      secret: { since: createdAt },
      sourceAddresses: ['203.0.113.7', '2001:db8:7::/64'],
      createdAt: at,
      updatedAt: at,
    });
    expect(answer.body).not.toContain('whsec_');
  });

  it('no url while there is none, whatever others have', async () => {
    const partner = await alone.newPartner();
    await alone.newPartner({ webhookUrl: TARGET });
    const answer = await seeWebhook(alone, partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('url');
  });
});

describe('PUT /webhook', () => {
  const put = ({ headers }: TestPartner, payload: object) =>
    server.call('PUT', '/v2/partner/webhook', { headers, payload });
  const see = async (partner: TestPartner) => (await seeWebhook(server, partner)).json();

  async function dueOf({ id }: TestPartner) {
    const { rows } = await server.owner.query(
      'select d.due_at from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where r.owner_id = $1',
      [id],
    );
    return rows;
  }

  it('sends its events elsewhere, waiting ones included, leaves others’ alone, and is in the audit log', async () => {
    const { partner } = await fundedWallet(server, 5);
    const other = await server.newPartner();
    expect(await dueOf(partner)).toEqual([{ due_at: null }]);
    const answer = await put(partner, { url: TARGET });
    expect(answer.json()).toEqual(await see(partner));
    expect(answer.json().url).toBe(TARGET);
    expect(await dueOf(partner)).toEqual([{ due_at: expect.any(Date) }]);
    expect(await see(other)).not.toHaveProperty('url');
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.url',
      before: { webhookUrl: null },
      after: { webhookUrl: TARGET },
    });
  });

  it.each([null, ''])('%j keeps events until there is one again', async (url) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    expect((await put(partner, { url })).statusCode).toBe(200);
    expect(await see(partner)).not.toHaveProperty('url');
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
    ['a mapped address', { url: 'https://[::ffff:a00:1]/' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
  ])('400: %s, with the reason, and the one before stays', async (_, body, errorCode, reason) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await put(partner, body);
    expect(refusalOf(answer)).toEqual([400, errorCode]);
    expect(answer.json().message + answer.json().errors).toContain(reason);
    expect((await see(partner)).url).toBe(TARGET);
  });
});

describe('POST /webhook/test', () => {
  const limited = useApp({ RATE_LIMIT_WEBHOOK_TESTS_PER_M: '3' });
  const url = '/v2/partner/webhook/test';

  const test = ({ headers }: TestPartner, app = server) => app.call('POST', url, { headers });

  it('an event in the contract’s envelope, marked as a test, due at once', async () => {
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
    const { rows } = await server.owner.query(
      `select e.body, d.due_at is not null as due from outbox.event e join webhooks.delivery d on d.event_id = e.id
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

  it('429: too many in a minute, also when all are sent at once; other partners are not limited', async () => {
    const partner = await limited.newPartner({ webhookUrl: TARGET });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await test(partner, limited)).statusCode),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await seeDeliveries(limited, partner)).json().count).toBe(3);
    const refused = await test(partner, limited);
    expect(refused.json().errorCode).toBe('TOO_MANY_REQUESTS');
    const waitS = Number(refused.headers['retry-after']);
    expect(waitS).toBeGreaterThan(0);
    expect((await test(await limited.newPartner({ webhookUrl: TARGET }), limited)).statusCode).toBe(200);
    limited.clock.advance(waitS * 1000);
    expect((await test(partner, limited)).statusCode).toBe(200);
  });
});

describe('POST /webhook/pause', () => {
  const alone = useApp();
  const url = '/v2/partner/webhook/pause';

  const pause = ({ headers }: TestPartner, payload?: object) =>
    alone.call('POST', url, { headers, ...(payload && { payload }) });
  const see = async (partner: TestPartner) => (await seeWebhook(alone, partner)).json();

  it('holds this partner’s events and says why; others’ are still sent', async () => {
    const { partner } = await partnerWithEvents(alone);
    const { partner: other } = await partnerWithEvents(alone);
    const answer = await pause(partner, { reason: 'we move house' });
    expect(answer.json()).toMatchObject({
      status: 'PAUSED',
      pausedBy: 'OWNER',
      pauseReason: 'we move house',
      pausedAt: expect.any(String),
      pending: 2,
    });
    expect(await see(partner)).toEqual(answer.json());
    expect(await see(other)).toMatchObject({ status: 'ACTIVE', pending: 2 });
    expect(await endAll(alone.resources.pool, null)).toBe(2);
    expect((await see(partner)).pending).toBe(2);
    expect((await see(other)).pending).toBe(0);
    expect((await auditOf(alone, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'receiver.pause',
      reason: 'we move house',
    });
  });

  it('without a reason, also without a body', async () => {
    for (const payload of [undefined, {}]) {
      const answer = await pause(await alone.newPartner(), payload);
      expect(answer.json()).toMatchObject({ status: 'PAUSED', pauseReason: 'paused by its owner' });
    }
  });
});

describe('POST /webhook/resume', () => {
  const alone = useApp();
  const url = '/v2/partner/webhook/resume';

  const pause = ({ headers }: TestPartner) => alone.call('POST', '/v2/partner/webhook/pause', { headers });
  const resume = ({ headers }: TestPartner) => alone.call('POST', url, { headers });
  const see = async (partner: TestPartner) => (await seeWebhook(alone, partner)).json();

  it('sends what was held; another’s pause stays', async () => {
    const { partner } = await partnerWithEvents(alone);
    const { partner: other } = await partnerWithEvents(alone);
    await pause(partner);
    await pause(other);
    const answer = await resume(partner);
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    expect(answer.json()).not.toHaveProperty('pauseReason');
    expect(await see(other)).toMatchObject({ status: 'PAUSED', pending: 2 });
    expect(await endAll(alone.resources.pool, null)).toBe(2);
    expect((await see(partner)).pending).toBe(0);
    expect((await auditOf(alone, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'receiver.resume',
    });
  });
});

describe('POST /webhook/secret/rotate', () => {
  const url = '/v2/partner/webhook/secret/rotate';

  const rotate = ({ headers }: TestPartner, payload?: object) =>
    server.call('POST', url, { headers, ...(payload && { payload }) });
  const secretOf = async (partner: TestPartner) => (await seeWebhook(server, partner)).json().secret;

  it('a new secret, shown once; later only its dates, and other partners’ secrets stay', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const other = await server.newPartner({ webhookUrl: TARGET });
    const theirs = await secretOf(other);
    const answer = await rotate(partner);
    expect(answer.statusCode).toBe(200);
    const { webhookSecret, previousUntil } = answer.json();
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhookSecret).not.toBe(partner.webhookSecret);
    const facts = await secretOf(partner);
    expect(facts.previousUntil).toBe(previousUntil);
    expect(Date.parse(previousUntil) - Date.parse(facts.since)).toBe(24 * 3_600_000);
    expect(await secretOf(other)).toEqual(theirs);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.secret.rotate',
    });
  });

  it('at once, with nothing left of the one before', async () => {
    const partner = await server.newPartner();
    await rotate(partner);
    const answer = await rotate(partner, { immediately: true });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('previousUntil');
    expect(await secretOf(partner)).not.toHaveProperty('previousUntil');
  });
});

describe('POST /webhook/portal', () => {
  const alone = useApp({ PUBLIC_URL: 'https://pay.example.com' });
  const ask = (headers: Record<string, string>) => alone.call('POST', '/v2/partner/webhook/portal', { headers });

  it('a link to pages of this server, that works for an hour', async () => {
    const { headers } = await alone.newPartner();
    const now = alone.clock.now().getTime();
    const answer = await ask(headers);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { url, expiresAt } = answer.json<{ url: string; expiresAt: string }>();
    expect(url).toMatch(/^https:\/\/pay\.example\.com\/webhooks\/open\/[\w-]+\.[\w-]+$/);
    const begun = new Date(expiresAt).getTime() - 3_600_000;
    expect(begun).toBeGreaterThanOrEqual(now);
    expect(begun).toBeLessThanOrEqual(alone.clock.now().getTime());
    expect((await alone.call('GET', new URL(url).pathname)).statusCode).toBe(200);
  });
});
