import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { NOBODY, partnersWithFailures, seeDeliveries } from '../../support/deliveries.ts';

const server = useSharedApp();

describe('200', () => {
  it('only this partner’s, as the operator sees them, found by filters, in pages', async () => {
    const { partner, wallet, other } = await partnersWithFailures(server);
    const all = (await seeDeliveries(server, partner)).json();
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
      expect((await seeDeliveries(server, partner, `?${query}`)).json().count).toBe(count);
    }
    const page = (await seeDeliveries(server, partner, '?limit=1&offset=1')).json();
    expect(page.items).toMatchObject([{ event: 'wallet.credited' }]);
    expect((await seeDeliveries(server, partner, `?partnerId=${other.id}`)).json()).toEqual(all);
  });

  it('of partners that ask at the same moment each gets its own, counted, as one with none does', async () => {
    const { partner, other } = await partnersWithFailures(server);
    const callers = [partner, other, partner, await server.newPartner(), other];
    const alone: unknown[] = [];
    for (const caller of callers) alone.push((await seeDeliveries(server, caller)).json());
    const together = await Promise.all(callers.map(async (caller) => (await seeDeliveries(server, caller)).json()));
    expect(together).toEqual(alone);
    expect(together).toMatchObject([{ count: 2 }, {}, { count: 2 }, { count: 0, items: [] }, {}]);
  });
});
