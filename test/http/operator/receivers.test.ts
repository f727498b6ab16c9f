import { beforeAll, describe, expect, it } from 'vitest';
import { claimDeliveries } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { partnerWithDeliveries } from '../../support/deliveries.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();

describe('GET /receivers', () => {
  let [well, paused, failing]: TestPartner[] = [];
  let applicationId: string;

  const list = async (query = '') =>
    (await server.operate('GET', `/receivers?${query}`)).json<{
      items: { ownerId: string; endpointId: string; isDefault: boolean }[];
      count: number;
      nextCursor?: string;
    }>();
  const ownersOf = async (query: string) => (await list(query)).items.map(({ ownerId }) => ownerId);

  beforeAll(async () => {
    well = await partnerWithDeliveries(server, 2);
    paused = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    failing = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    ({ applicationId } = await newApplication(server));
    await server.operate('POST', `/receivers/${paused.id}/pause`, { reason: 'a flood' });
    await server.owner.query(
      `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, openings, open_until)
      select id, 7, $2::timestamptz, $2, 1, $2::timestamptz + interval '1 minute' from outbox.receiver where owner_id = $1`,
      [failing.id, server.clock.now()],
    );
  });

  it('endpoints of all, newest first, with how they are doing, and none of their keys', async () => {
    const answer = await server.operate('GET', '/receivers?ownerKind=PARTNER');
    expect(answer.json()).toMatchObject({
      count: 3,
      items: [
        { ownerId: failing?.id, breaker: { state: 'OPEN', failures: 7, until: expect.any(String) } },
        { ownerId: paused?.id, status: 'PAUSED', pausedBy: 'OPERATOR', pauseReason: 'a flood' },
        { ownerId: well?.id, status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String), isDefault: true },
      ],
    });
    for (const secret of [well?.webhookSecret, well?.headers['x-client-id']]) expect(answer.body).not.toContain(secret);
  });

  it('by whose they are, whether they are paused and whether they fail', async () => {
    expect(await ownersOf('ownerKind=APPLICATION')).toContain(applicationId);
    expect(await ownersOf('status=PAUSED')).toEqual([paused?.id]);
    expect(await ownersOf('breaker=OPEN')).toEqual([failing?.id]);
    expect(await ownersOf('breaker=HALF_OPEN')).toEqual([]);
    expect(await ownersOf('ownerKind=PARTNER&status=ACTIVE&breaker=CLOSED')).toEqual([well?.id]);
    server.clock.advance(61_000);
    expect(await ownersOf('breaker=HALF_OPEN')).toEqual([failing?.id]);
  });

  it('with whose they are, and by that; and by whether they fail and whether deliveries wait', async () => {
    const names = async (query: string) =>
      (await server.operate('GET', `/receivers?${query}`))
        .json()
        .items.map(({ ownerName }: { ownerName: string }) => ownerName);
    expect(await names(`partnerId=${well?.id}`)).toEqual(['Partner 1']);
    expect(await names(`applicationId=${applicationId}`)).toEqual(['Acme']);
    expect(await names(`applicationId=${well?.id}`)).toEqual([]);
    expect(await ownersOf('failing=true')).toEqual([failing?.id]);
    expect(await ownersOf('waiting=true')).toEqual([well?.id]);
    expect(await ownersOf(`waiting=true&partnerId=${paused?.id}`)).toEqual([]);
  });

  it('several of one owner, none that was deleted, page by page', async () => {
    const payload = { url: 'https://acme.example/second' };
    const { headers = {} } = well ?? {};
    const made = await server.call('POST', '/v2/partner/webhook/endpoints', { headers, payload });
    const { id } = made.json<{ id: string }>();
    const first = await list('ownerKind=PARTNER&limit=1');
    expect(first.items).toMatchObject([{ endpointId: id, ownerId: well?.id, isDefault: false }]);
    expect(await ownersOf(`ownerKind=PARTNER&limit=1&cursor=${first.nextCursor}`)).toEqual([failing?.id]);
    await server.call('DELETE', `/v2/partner/webhook/endpoints/${id}`, { headers });
    expect((await list('ownerKind=PARTNER')).count).toBe(3);
  });
});

describe('GET /receivers/{ownerId}', () => {
  const get = (ownerId: string) => server.operate('GET', `/receivers/${ownerId}`);

  it('where events go and how much waits, without a key', async () => {
    const partner = await partnerWithDeliveries(server, 2);
    const answer = await get(partner.id);
    expect(answer.json()).toMatchObject({
      ownerId: partner.id,
      ownerKind: 'PARTNER',
      url: 'http://127.0.0.1:9/hooks',
      status: 'ACTIVE',
      pending: 2,
      oldestDueAt: expect.any(String),
    });
    for (const secret of [partner.clientId, partner.webhookSecret]) expect(answer.body).not.toContain(secret);
  });

  it('of an application that has no URL', async () => {
    const { applicationId } = await newApplication(server);
    expect((await get(applicationId)).json()).toMatchObject({ ownerKind: 'APPLICATION', status: 'ACTIVE', pending: 0 });
    expect((await get(applicationId)).json()).not.toHaveProperty('url');
  });
});

describe('POST /receivers/{ownerId}/pause', () => {
  const alone = useApp();
  const pause = (ownerId: string, body: object = { reason: 'their move of servers' }) =>
    alone.operate('POST', `/receivers/${ownerId}/pause`, body);
  const claimsOf = async () => {
    const { claimed } = await claimDeliveries(alone.resources.pool, {
      limit: 100,
      perReceiver: 100,
      inFlight: new Map(),
      leaseMs: 1,
    });
    return claimed.length;
  };

  it('nothing more is sent, and new events are kept with the pending ones', async () => {
    const partner = await partnerWithDeliveries(alone, 2);
    const answer = await pause(partner.id);
    expect(answer.json()).toMatchObject({
      ownerId: partner.id,
      ownerKind: 'PARTNER',
      url: 'http://127.0.0.1:9/hooks',
      status: 'PAUSED',
      pausedAt: expect.any(String),
      pausedBy: 'OPERATOR',
      pauseReason: 'their move of servers',
      pending: 2,
    });
    expect(answer.json()).not.toHaveProperty('oldestDueAt');
    const wallet = await kycWallet(alone, partner);
    await moveMoney(alone, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    expect((await alone.operate('GET', `/receivers/${partner.id}`)).json().pending).toBe(3);
    expect(await claimsOf()).toBe(0);
  });

  it('is audited with its reason, once: pausing a paused one changes nothing', async () => {
    const partner = await alone.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    const first = await pause(partner.id);
    const again = await pause(partner.id, { reason: 'another' });
    expect(again.json()).toEqual(first.json());
    const audited = (await auditOf(alone, partner.id)).filter(({ action }) => action === 'receiver.pause');
    expect(audited).toEqual([
      byRoot('receiver.pause', {
        before: { status: 'ACTIVE' },
        after: { status: 'PAUSED' },
        reason: 'their move of servers',
      }),
    ]);
  });
});

describe('POST /receivers/{ownerId}/resume', () => {
  const alone = useApp();
  const pause = (ownerId: string) => alone.operate('POST', `/receivers/${ownerId}/pause`, { reason: 'broken' });
  const resume = (ownerId: string, body?: object) => alone.operate('POST', `/receivers/${ownerId}/resume`, body);

  it('pending deliveries and those of events since then are due at once', async () => {
    const partner = await partnerWithDeliveries(alone, 1);
    await pause(partner.id);
    const wallet = await kycWallet(alone, partner);
    await moveMoney(alone, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    const answer = await resume(partner.id, { reason: 'mended' });
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    for (const gone of ['pausedAt', 'pausedBy', 'pauseReason']) expect(answer.json()).not.toHaveProperty(gone);
    const request = { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 1 };
    expect((await claimDeliveries(alone.resources.pool, request)).claimed).toHaveLength(2);
    expect((await auditOf(alone, partner.id)).at(-1)).toEqual(
      byRoot('receiver.resume', {
        before: { status: 'PAUSED', reason: 'broken' },
        after: { status: 'ACTIVE' },
        reason: 'mended',
      }),
    );
  });

  it('without a body, and without an effect on one that is not paused', async () => {
    const { id } = await alone.newPartner();
    const audited = await auditOf(alone, id);
    expect((await resume(id)).statusCode).toBe(200);
    expect(await auditOf(alone, id)).toEqual(audited);
  });
});
