import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { loggedIn, moveMoney, pay, revokeWallet } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_WALLET_CREDIT: '3' });
const history = (headers: Record<string, string>, query = '') =>
  server.call('GET', `/v2/sso/transaction${query}`, { headers });

describe('200', () => {
  it('the movements of the wallet at this partner, newest first, with the customer’s own fees only', async () => {
    const partner = await server.newPartner({ float: 1_000 });
    const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
    await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'rent' });
    await moveMoney(server, partner, bola.wallet, 'debit', { amount: 30, reference: 'fare' });

    const hers = await history(ada.headers);
    expect(hers.statusCode).toBe(200);
    expect(hers.headers['cache-control']).toBe('no-store');
    expect(hers.json()).toMatchObject({
      items: [
        { Type: 'TRANSFER', Amount: 100, Fee: 10, ExternalReference: 'rent', OpeningBalance: 500, ClosingBalance: 390 },
        { Type: 'PARTNER_WALLET_CREDIT', Amount: 500, Fee: 0, OpeningBalance: 0, ClosingBalance: 500 },
      ],
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect((await history(bola.headers)).json().items).toMatchObject([
      { Type: 'PARTNER_WALLET_DEBIT', OpeningBalance: 100, ClosingBalance: 70 },
      { Type: 'TRANSFER', Amount: 100, Fee: 0, OpeningBalance: 0, ClosingBalance: 100 },
    ]);
    expect((await history(ada.headers, '?limit=1&offset=1')).json()).toMatchObject({
      items: [{ Type: 'PARTNER_WALLET_CREDIT' }],
      count: 2,
    });
  });
});

it('401: asks for the customer’s token', async () => {
  const { headers } = await server.newPartner();
  expect((await history(headers)).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
});

it.each(['?limit=-1', '?offset=1.5', '?limit=1&limit=2'])('400: %s', async (query) => {
  const { headers } = await loggedIn(server, await server.newPartner());
  expect((await history(headers, query)).json().errorCode).toBe('INVALID_PARAMETER');
});

it('404: of a wallet that is revoked during the request', async () => {
  const { headers, wallet } = await loggedIn(server, await server.newPartner());
  await revokeWallet(server, wallet);
  expect((await history(headers)).json().errorCode).toBe('WALLET_NOT_FOUND');
});
