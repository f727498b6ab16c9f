import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';

const server = useApp();
const NOBODY = '00000000-0000-7000-8000-000000000000';

const get = ({ headers }: TestPartner, path = '') =>
  server.call('GET', `/v2/partner/webhook/deliveries${path}`, { headers });
const resend = ({ headers }: TestPartner, id: string) =>
  server.call('POST', `/v2/partner/webhook/deliveries/${id}/resend`, { headers });
const replay = ({ headers }: TestPartner, payload: object = {}) =>
  server.call('POST', '/v2/partner/webhook/replay', { headers, payload });

/** Two partners whose two events each have failed. */
async function failures() {
  const { partner, wallet } = await partnerWithEvents(server);
  const { partner: other } = await partnerWithEvents(server);
  await endAll(server.resources.pool, 'status 500');
  return { partner, wallet, other };
}

describe('GET /v2/partner/webhook/deliveries', () => {
  it('200: this partner’s alone, as the operator sees them, found by filters, in pages', async () => {
    const { partner, wallet } = await failures();
    const all = (await get(partner)).json();
    expect(all).toMatchObject({ count: 2, limit: 20, offset: 0 });
    expect(all.items).toMatchObject([
      { event: 'wallet.debited', reference: wallet, status: 'FAILED', attempts: 1, lastError: 'status 500' },
      { event: 'wallet.credited', ownerKind: 'PARTNER', ownerId: partner.id },
    ]);
    expect(all).toEqual((await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json());
    for (const [query, count] of [
      ['event=wallet.credited', 1],
      ['status=FAILED&error=status 5xx', 2],
      ['error=timeout', 0],
      ['status=PENDING', 0],
      ['from=2026-01-01T00:00:00Z', 2],
      ['to=2026-01-01T00:00:00Z', 0],
      [`partnerId=${NOBODY}`, 2],
    ]) {
      expect((await get(partner, `?${query}`)).json().count).toBe(count);
    }
    expect((await get(partner, '?limit=1&offset=1')).json().items).toMatchObject([{ event: 'wallet.credited' }]);
  });

  it.each(['limit=-1', 'status=DONE', 'from=now', 'to=0000-01-01T00:00:00Z'])('400: %s', async (query) => {
    expect((await get(await server.newPartner(), `?${query}`)).statusCode).toBe(400);
  });

  it('401: without credentials', async () => {
    expect((await server.call('GET', '/v2/partner/webhook/deliveries')).statusCode).toBe(401);
  });
});

describe('GET /v2/partner/webhook/deliveries/{id}', () => {
  it('200: with each attempt', async () => {
    const { partner } = await failures();
    const [{ id }] = (await get(partner)).json().items;
    const answer = await get(partner, `/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, attempts: [{ number: 1, error: 'status 500', durationMs: 1 }] });
  });

  it('400: an id that is none; 401: without credentials', async () => {
    expect((await get(await server.newPartner(), '/7')).statusCode).toBe(400);
    expect((await server.call('GET', `/v2/partner/webhook/deliveries/${NOBODY}`)).statusCode).toBe(401);
  });

  it('404: unknown, and somebody else’s: the same answer', async () => {
    const { partner, other } = await failures();
    const [{ id }] = (await get(other)).json().items;
    const [unknown, theirs] = [await get(partner, `/${NOBODY}`), await get(partner, `/${id}`)];
    const { timestamp: _t, requestId: _r, ...failure } = unknown.json();
    expect(failure.errorCode).toBe('DELIVERY_NOT_FOUND');
    expect([unknown.statusCode, theirs.statusCode]).toEqual([404, 404]);
    expect(theirs.json()).toMatchObject(failure);
  });
});

describe('POST /v2/partner/webhook/deliveries/{id}/resend', () => {
  it('200: a new delivery of the same event, and an audit entry', async () => {
    const { partner } = await failures();
    const [first] = (await get(partner)).json().items;
    const answer = await resend(partner, first.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect((await get(partner)).json().count).toBe(3);
    expect(await auditOf(server, first.id)).toMatchObject([
      { actor: `partner:${partner.id}`, action: 'delivery.resend', after: { delivery: answer.json().id } },
    ]);
  });

  it('400: an id that is none; 401: without credentials', async () => {
    expect((await resend(await server.newPartner(), '7')).statusCode).toBe(400);
    const answer = await server.call('POST', `/v2/partner/webhook/deliveries/${NOBODY}/resend`);
    expect(answer.statusCode).toBe(401);
  });

  it('404: unknown, or somebody else’s, which stays as it is', async () => {
    const { partner, other } = await failures();
    const [{ id }] = (await get(other)).json().items;
    expect((await resend(partner, NOBODY)).json().errorCode).toBe('DELIVERY_NOT_FOUND');
    expect((await resend(partner, id)).json().errorCode).toBe('DELIVERY_NOT_FOUND');
    expect((await get(other)).json().count).toBe(2);
    expect(await auditOf(server, id)).toEqual([]);
  });
});

describe('POST /v2/partner/webhook/replay', () => {
  it('200: what failed of this partner alone, and an audit entry', async () => {
    const { partner, other } = await failures();
    const preview = await replay(partner, { dryRun: true, partnerId: other.id });
    expect(preview.json()).toMatchObject({ dryRun: true, matched: 2, replayed: 0, left: 2 });
    const answer = await replay(partner, { error: 'status 5xx', partnerId: other.id });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ dryRun: false, matched: 2, replayed: 2, left: 0 });
    expect((await get(partner, '?status=PENDING')).json().count).toBe(2);
    expect((await get(other)).json().count).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'delivery.replay',
      after: { partnerId: partner.id, status: 'FAILED', error: 'status 5xx', replayed: 2 },
    });
    expect((await replay(partner)).json()).toMatchObject({ matched: 0, replayed: 0, left: 0 });
  });

  it.each([{ status: 'PENDING' }, { from: 'now' }, { dryRun: 1 }, { event: 7 }])('400: %j', async (body) => {
    expect((await replay(await server.newPartner(), body)).statusCode).toBe(400);
  });

  it('401: without credentials', async () => {
    expect((await server.call('POST', '/v2/partner/webhook/replay', { payload: {} })).statusCode).toBe(401);
  });
});

it('all of it is in the OpenAPI document as an extension', async () => {
  const { paths } = (await server.call('GET', '/v2/openapi.json')).json();
  const operations = Object.entries<Record<string, { tags: string[] }>>(paths).flatMap(([path, methods]) =>
    path.startsWith('/v2/partner/webhook') ? Object.values(methods) : [],
  );
  expect(operations.length).toBeGreaterThanOrEqual(8);
  for (const { tags } of operations) expect(tags).toEqual(['Extension']);
});
