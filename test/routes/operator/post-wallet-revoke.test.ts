import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { authCode, exchange } from '../../support/onboarding.ts';
import { changeWallet, kycWallet, loggedIn, logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';

const server = useApp();
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
      expect.objectContaining({ action: 'wallet.revoke', actor: 'operator', reason: 'she asked us to' }),
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
    expect((await server.operate('POST', '/transactions', inbound)).statusCode).toBe(404);
    const undone = await changeWallet(server, wallet, { status: 'Enabled' });
    expect(undone.statusCode).toBe(409);
    expect(undone.json()).toMatchObject({ errorCode: 'WALLET_REVOKED' });
  });

  it('takes no refund any more: it is refused for good, where it would have waited for ever', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'in' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'out' });
    await revoke(wallet);
    for (let times = 0; times < 2; times += 1) {
      const answer = await refund(server, partner, 'out', { reference: 'back' });
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({ errorCode: 'WALLET_REVOKED' });
    }
    const float = await server.call('GET', '/v2/partner/float', { headers: partner.headers });
    expect(float.json().items[0]).toMatchObject({ Currency: 'NGN', Balance: 100 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('and a refund at the same moment: it is on its way to a wallet that lives, or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const partner = await server.newPartner({ float: 100 });
      const wallet = await kycWallet(server, partner);
      await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'in' });
      await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'out' });
      await changeWallet(server, wallet, { status: 'PNC' });
      const [revoked, refunded] = await Promise.all([
        revoke(wallet),
        refund(server, partner, 'out', { reference: 'race' }),
      ]);
      expect([revoked.statusCode, refunded.statusCode].toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
  });

  it('lets her oldest other wallet receive what is sent to her PayTag', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home);
    const elsewhere = await logInAt(server, other, ada);
    const payer = await loggedIn(server, home, 10);
    await revoke(ada.wallet);
    expect((await shown(elsewhere.wallet)).isPrimary).toBe(true);
    expect((await pay(server, payer, { paytag: ada.paytag, amount: 4, reference: 'a' })).statusCode).toBe(200);
    expect((await shown(elsewhere.wallet)).totalAmount).toBe(4);
  });

  it('lets her have another wallet there when she logs in again, and it is the primary one where she has no other', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    await revoke(ada.wallet);
    const again = await logInAt(server, partner, ada);
    expect(again.wallet).not.toBe(ada.wallet);
    expect((await shown(again.wallet)).isPrimary).toBe(true);
    expect((await shown(again.wallet)).nuban).not.toBe((await shown(ada.wallet)).nuban);
  });

  it('changes nothing the second time', async () => {
    const partner = await server.newPartner();
    const wallet = await kycWallet(server, partner);
    const [first, second] = [await revoke(wallet), await revoke(wallet)];
    expect(second.json()).toEqual(first.json());
    expect(await auditOf(server, wallet)).toHaveLength(1);
  });

  it('and a credit at the same moment: the money is in a wallet that lives, or was never taken', async () => {
    for (let round = 0; round < 5; round++) {
      const partner = await server.newPartner({ float: 100 });
      const wallet = await kycWallet(server, partner);
      const [revoked, credited] = await Promise.all([
        revoke(wallet),
        moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'race' }),
      ]);
      expect([revoked.statusCode === 200, credited.statusCode === 200].filter(Boolean)).toHaveLength(1);
      expect((await shown(wallet)).totalAmount).toBe(credited.statusCode === 200 ? 1 : 0);
    }
  });
});

describe('400', () => {
  it('asks why', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    expect((await revoke(wallet, {})).statusCode).toBe(400);
  });
});

describe('401', () => {
  it('asks for the operator', async () => {
    const answer = await server.call('POST', '/operator/v1/wallets/PW-1/revoke', { payload: { reason: 'none' } });
    expect(answer.statusCode).toBe(401);
  });
});

describe('404', () => {
  it('knows no such wallet', async () => {
    expect((await revoke('PW-none')).json()).toMatchObject({ errorCode: 'WALLET_NOT_FOUND' });
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
