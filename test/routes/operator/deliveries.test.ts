import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';

const server = useApp();
const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('GET /operator/v1/deliveries', () => {
  it('200: finds by partner, status and event, newest first, in pages', async () => {
    const { partner, wallet } = await partnerWithEvents(server);
    await partnerWithEvents(server);
    const all = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json();
    expect(all).toMatchObject({ count: 2, limit: 20, offset: 0 });
    expect(all.items).toMatchObject([
      { event: 'wallet.debited', reference: wallet, status: 'PENDING', attempts: 0, ownerKind: 'PARTNER' },
      { event: 'wallet.credited', reference: wallet, status: 'PENDING', attempts: 0, ownerId: partner.id },
    ]);
    const query = `partnerId=${partner.id}&event=wallet.credited&status=PENDING`;
    expect((await server.operate('GET', `/deliveries?${query}`)).json()).toMatchObject({ count: 1 });
    const page = (await server.operate('GET', `/deliveries?partnerId=${partner.id}&limit=1&offset=1`)).json();
    expect(page).toMatchObject({ count: 2, limit: 1, offset: 1, items: [{ event: 'wallet.credited' }] });
    expect((await server.operate('GET', '/deliveries?limit=0')).json().items).toEqual([]);
    expect((await server.operate('GET', '/deliveries?limit=101')).json().limit).toBe(100);
    expect((await server.operate('GET', `/deliveries?applicationId=${NOBODY}`)).json().count).toBe(0);
  });

  it('200: finds by error and by when the event was written', async () => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, 'status 502');
    const countOf = async (query: Record<string, string>) => {
      const search = new URLSearchParams({ partnerId: partner.id, ...query }).toString();
      return (await server.operate('GET', `/deliveries?${search}`)).json().count;
    };
    expect(await countOf({ error: 'status 502' })).toBe(2);
    expect(await countOf({ error: 'status 5xx', status: 'FAILED' })).toBe(2);
    expect(await countOf({ error: 'timeout' })).toBe(0);
    expect(await countOf({ from: '2026-01-01T00:00:00+01:00' })).toBe(2);
    expect(await countOf({ to: '2026-01-01T00:00:00Z' })).toBe(0);
  });

  it.each([
    'from=2026-01-31',
    'from=yesterday',
    'to=0000-01-01T00:00:00Z',
    'to=9999-12-31T23:59:59-12:00',
    `error=${'x'.repeat(101)}`,
    'limit=-1',
    'limit=1.5',
    'offset=x',
    'limit=1&limit=2',
    'status=DONE',
    'partnerId=acme',
  ])('400: %s', async (query) => {
    const answer = await server.operate('GET', `/deliveries?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errorCode).toBe('INVALID_PARAMETER');
  });
});

describe('GET /operator/v1/deliveries/{id}', () => {
  it('200: shows the attempts one by one', async () => {
    const { partner } = await partnerWithEvents(server);
    const [first] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
    expect((await server.operate('GET', `/deliveries/${first.id}`)).json()).toMatchObject({
      id: first.id,
      attempts: [],
    });
  });

  it('404: a delivery nobody knows', async () => {
    expect((await server.operate('GET', `/deliveries/${NOBODY}`)).json().errorCode).toBe('DELIVERY_NOT_FOUND');
  });
});

describe('POST /operator/v1/deliveries/{id}/resend', () => {
  it('200: is a new delivery of the same event, and in the audit log', async () => {
    const { partner } = await partnerWithEvents(server);
    const [first] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
    const resent = await server.operate('POST', `/deliveries/${first.id}/resend`);
    expect(resent.statusCode).toBe(200);
    expect(resent.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect(resent.json().id).not.toBe(first.id);
    const { rows } = await server.resources.pool.query('select action from audit.entry where target = $1', [first.id]);
    expect(rows).toEqual([{ action: 'delivery.resend' }]);
  });

  it('404: a delivery nobody knows, and nothing in the audit log', async () => {
    expect((await server.operate('POST', `/deliveries/${NOBODY}/resend`)).statusCode).toBe(404);
    const { rows } = await server.resources.pool.query('select 1 from audit.entry where target = $1', [NOBODY]);
    expect(rows).toEqual([]);
  });
});
