import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { refusalOf } from '../../support/refusals.ts';
import { changeWallet, kycWallet, loggedIn, logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';

describe('a revoked wallet', () => {
  const server = useApp();
  const revoke = (wallet: string) => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'she asked us to' });
  const shown = async (wallet: string) => (await server.operate('GET', `/wallets/${wallet}`)).json();

  it('a revoked wallet takes no refund any more: it is refused for good, where it would have waited for ever', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'in' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'out' });
    await revoke(wallet);
    for (let times = 0; times < 2; times += 1) {
      expect(refusalOf(await refund(server, partner, 'out', { reference: 'back' }))).toEqual([409, 'WALLET_REVOKED']);
    }
    const float = await server.call('GET', '/v2/partner/float', { headers: partner.headers });
    expect(float.json().items[0]).toMatchObject({ Currency: 'NGN', Balance: 100 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('revoking and a refund at the same moment: it is on its way to a wallet that lives, or refused', async () => {
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

  it('revoking a wallet makes the customer’s oldest other wallet receive payments to the PayTag', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home);
    const elsewhere = await logInAt(server, other, ada);
    const payer = await loggedIn(server, home, 10);
    await revoke(ada.wallet);
    expect((await shown(elsewhere.wallet)).isPrimary).toBe(true);
    expect((await pay(server, payer, { paytag: ada.paytag, amount: 4, reference: 'a' })).statusCode).toBe(200);
    expect((await shown(elsewhere.wallet)).totalAmount).toBe(4);
  });

  it('after a revocation the next login opens another wallet there, which is primary if it is the only one', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    await revoke(ada.wallet);
    const again = await logInAt(server, partner, ada);
    expect(again.wallet).not.toBe(ada.wallet);
    expect((await shown(again.wallet)).isPrimary).toBe(true);
    expect((await shown(again.wallet)).nuban).not.toBe((await shown(ada.wallet)).nuban);
  });

  it('revoking and a credit at the same moment: the money is in a wallet that lives, or was never taken', async () => {
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

describe('a wallet revoked by another process', () => {
  const server = useApp();
  /** A second process of the installation, which remembers the accounts of wallets as the first does. */
  const other = useApp({}, server);

  /** A wallet without money whose accounts the second process remembers. */
  async function remembered() {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    const move = (kind: 'credit' | 'debit', reference: string) =>
      moveMoney(other, partner, wallet, kind, { amount: 1, reference });
    expect((await move('credit', 'in')).statusCode).toBe(200);
    expect((await move('debit', 'out')).statusCode).toBe(200);
    const revoke = () => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'a test asks for it' });
    return { move, revoke, key: `${partner.id}/${wallet}` };
  }

  it('a process is told of a wallet that another one revoked, and knows it no more', async () => {
    const { move, revoke, key } = await remembered();
    const known = () => other.resources.movementAccounts.get(key, () => true);
    expect(await known()).toMatchObject({ currency: 'NGN' });
    await revoke();
    await eventually(async () => expect(await known()).toBeUndefined());
    expect((await move('credit', 'late')).statusCode).toBe(404);
  });

  it('a process that was not told is refused by the ledger, and looks again', async () => {
    const { move, revoke } = await remembered();
    await server.owner.query('alter table wallets.partner_wallet disable trigger notify_revoked');
    await revoke();
    await server.owner.query('alter table wallets.partner_wallet enable trigger notify_revoked');
    for (const [reference, refusal] of [
      ['late', [422, 'WALLET_BLOCKED']],
      ['later', [404, 'WALLET_NOT_FOUND']],
      ['late', [422, 'WALLET_BLOCKED']], // as before
      ['out', [200, undefined]],
    ] as const) {
      const answer = await move(reference === 'out' ? 'debit' : 'credit', reference);
      expect([reference, answer.statusCode, answer.json().errorCode]).toEqual([reference, ...refusal]);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
