import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { unknownPayout } from '../../support/payouts.ts';

const server = useApp();
const list = async (query: string) => (await server.operate('GET', `/payouts?${query}`)).json();

describe('200', () => {
  it('payouts, newest first, of a partner, a wallet, a state or a time', async () => {
    const [one, other] = [await unknownPayout(server), await unknownPayout(server)];
    const { items } = await list('state=UNKNOWN');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([other.id, one.id]);
    expect((await list(`partnerId=${one.partner.id}`)).items).toMatchObject([{ id: one.id, wallet: one.wallet }]);
    expect((await list(`wallet=${other.wallet}`)).items).toMatchObject([{ id: other.id, accountNumber: '0123456789' }]);
    expect((await list('state=FAILED')).items).toEqual([]);
    expect((await list('to=2026-01-01T00:00:00Z')).items).toEqual([]);
  });
});
