import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { NOBODY } from '../../support/refusals.ts';

const server = useApp();
const find = (query: Record<string, string>) =>
  server.operate('GET', `/deliveries?${new URLSearchParams(query).toString()}`);

describe('200', () => {
  it('finds by partner, status and event, newest first, in pages', async () => {
    const { partner, wallet } = await partnerWithEvents(server);
    await partnerWithEvents(server);
    const partnerId = partner.id;
    const all = (await find({ partnerId })).json();
    expect(all).toMatchObject({ count: 2, limit: 20, offset: 0 });
    expect(all.items).toMatchObject([
      { event: 'wallet.debited', reference: wallet, status: 'PENDING', attempts: 0, ownerKind: 'PARTNER' },
      { event: 'wallet.credited', reference: wallet, status: 'PENDING', attempts: 0, ownerId: partnerId },
    ]);
    const credited = { partnerId, event: 'wallet.credited', status: 'PENDING' };
    expect((await find(credited)).json()).toMatchObject({ count: 1 });
    const page = (await find({ partnerId, limit: '1', offset: '1' })).json();
    expect(page).toMatchObject({ count: 2, limit: 1, offset: 1, items: [{ event: 'wallet.credited' }] });
    expect((await find({ limit: '0' })).json().items).toEqual([]);
    expect((await find({ limit: '101' })).json().limit).toBe(100);
  });

  it('finds by application; one without events, and an unknown one, have none', async () => {
    const { applicationId } = await newApplication(server);
    for (const owner of [applicationId, NOBODY]) {
      expect((await find({ applicationId: owner })).json()).toMatchObject({ count: 0, items: [] });
    }
  });

  it('finds by error and by when the event was written', async () => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, 'status 502');
    const countOf = async (query: Record<string, string>) =>
      (await find({ partnerId: partner.id, ...query })).json().count;
    expect(await countOf({ error: 'status 502' })).toBe(2);
    expect(await countOf({ error: 'status 5xx', status: 'FAILED' })).toBe(2);
    expect(await countOf({ error: 'timeout' })).toBe(0);
    expect(await countOf({ from: '2026-01-01T00:00:00+01:00' })).toBe(2);
    expect(await countOf({ to: '2026-01-01T00:00:00Z' })).toBe(0);
  });
});
