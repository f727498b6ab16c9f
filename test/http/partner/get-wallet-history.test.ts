import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet, kycWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_WALLET_CREDIT: '0.50' });
const history = (headers: Record<string, string>, reference: string, query = '') =>
  server.call('GET', `/v2/partner/wallet/${reference}/history${query}`, { headers });

describe('200', () => {
  it('every movement, newest first, its balances following on from one another', async () => {
    const partner = await server.newPartner({ float: 1000 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 500, reference: 'salary', comment: 'May' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 120.25, reference: 'rent' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 5000, reference: 'declined' });
    await refund(server, partner, 'rent', { reference: 'rent-back', amount: 20.25 });

    const answer = await history(partner.headers, wallet);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ count: 3, limit: 20, offset: 0 });
    expect(answer.json().items).toMatchObject([
      { Type: 'PARTNER_REFUND', Amount: 20.25, ExternalReference: 'rent', OpeningBalance: 379.75, ClosingBalance: 400 },
      { Type: 'PARTNER_WALLET_DEBIT', Amount: 120.25, Reference: 'rent', OpeningBalance: 500, ClosingBalance: 379.75 },
      { Type: 'PARTNER_WALLET_CREDIT', Amount: 500, Fee: 0.5, Comment: 'May', OpeningBalance: 0, ClosingBalance: 500 },
    ]);
  });

  it('in pages, the last one short, and past the end an empty one', async () => {
    const { partner, wallet } = await fundedWallet(server, 0);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: `f-${partner.id}` });
    for (let turn = 1; turn <= 7; turn++) {
      await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `r${turn}` });
    }
    const page = async (query: string) => {
      const { items, count } = (await history(partner.headers, wallet, query)).json();
      return [items.map(({ Reference }: { Reference: string }) => Reference), count];
    };
    expect(await page('?limit=3')).toEqual([['r7', 'r6', 'r5'], 7]);
    expect(await page('?limit=3&offset=6')).toEqual([['r1'], 7]);
    expect(await page('?limit=3&offset=7')).toEqual([[], 7]);
    expect(await page('?limit=3&offset=999999999')).toEqual([[], 7]);
    expect(await page('?limit=0')).toEqual([[], 7]);
  });

  it('of a wallet that nothing moved: empty', async () => {
    const partner = await server.newPartner();
    const answer = await history(partner.headers, await kycWallet(server, partner));
    expect(answer.json()).toEqual({ items: [], count: 0, limit: 20, offset: 0 });
  });
});
