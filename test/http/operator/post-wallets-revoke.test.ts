import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { authCode, exchange } from '../../support/onboarding.ts';
import { changeWallet, kycWallet, loggedIn, logInAt, moveMoney, refund } from '../../support/wallets.ts';

const server = useSharedApp();
const revoke = (wallet: string, body: object = { reason: 'she asked us to' }) =>
  server.operate('POST', `/wallets/${wallet}/revoke`, body);
const shown = async (wallet: string) => (await server.operate('GET', `/wallets/${wallet}`)).json();

describe('200', () => {
  it('ends the wallet, and the customer’s tokens and codes there, and at no other partner', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home);
    const elsewhere = await logInAt(server, other, ada);
    const code = await authCode(server, home, ada.paytag);
    const answer = await revoke(ada.wallet);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'Blocked', revokedAt: expect.any(String), isPrimary: false });
    const token = (headers: Record<string, string>) => server.call('GET', '/v2/sso/wallet', { headers });
    expect((await token(ada.headers)).json()).toMatchObject({ errorCode: 'INVALID_CUSTOMER_TOKEN' });
    expect((await exchange(server, home, code)).statusCode).toBe(401);
    expect((await token(elsewhere.headers)).statusCode).toBe(200);
    const seen = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: home.headers });
    expect(seen.json()).toMatchObject({ Reference: ada.wallet, RevokedAt: answer.json().revokedAt });
    expect(await auditOf(server, ada.wallet)).toEqual([
      expect.objectContaining({ action: 'wallet.revoke', actor: 'operator:root', reason: 'she asked us to' }),
    ]);
  });

  it('moves no money of it any more, and cannot be undone', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    const { nuban } = await shown(wallet);
    await revoke(wallet);
    for (const move of ['credit', 'debit'] as const) {
      expect((await moveMoney(server, partner, wallet, move, { amount: 1, reference: move })).statusCode).toBe(404);
    }
    const sender = { name: 'Somebody' };
    const inbound = { type: 'INBOUND', nuban, amount: 1, reference: 'in-1', sender };
    const arrived = await server.operate('POST', '/transactions', inbound);
    expect(arrived.json()).toMatchObject({ Status: 'Pending', PendingReason: 'WALLET_REVOKED' });
    const undone = await changeWallet(server, wallet, { status: 'Enabled' });
    expect(undone.statusCode).toBe(409);
    expect(undone.json()).toMatchObject({ errorCode: 'WALLET_REVOKED' });
  });

  it('changes nothing the second time', async () => {
    const partner = await server.newPartner();
    const wallet = await kycWallet(server, partner);
    const [first, second] = [await revoke(wallet), await revoke(wallet)];
    expect(second.json()).toEqual(first.json());
    expect(await auditOf(server, wallet)).toHaveLength(1);
  });
});

describe('409', () => {
  const refused = { errorCode: 'WALLET_NOT_EMPTY' };

  it('keeps a wallet with money, with a lien, or to which a refund is on its way', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'in' });
    expect((await revoke(wallet)).json()).toMatchObject(refused);
    await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'out' });
    await changeWallet(server, wallet, { status: 'Blocked' });
    expect((await refund(server, partner, 'out', { reference: 'back' })).json()).toMatchObject({ Status: 'Pending' });
    expect((await revoke(wallet)).json()).toMatchObject(refused);

    const other = await kycWallet(server, partner);
    await server.operate('POST', `/wallets/${other}/liens`, { amount: 5, reason: 'a court says so' });
    const answer = await revoke(other);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject(refused);
    expect((await shown(other)).revokedAt).toBeNull();
  });
});
