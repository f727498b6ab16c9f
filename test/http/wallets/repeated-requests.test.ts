import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { moveTag } from '../../support/tags.ts';
import {
  changeWallet,
  fundedWallet,
  kycWallet,
  loggedIn,
  logInAt,
  moveMoney,
  pay,
  refund,
} from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '5', FEE_PARTNER_WALLET_DEBIT: '1%' });
const revoke = (wallet: string) => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'she asked us to' });
const codeOf = (answer: { json(): { errorCode: string } }) => answer.json().errorCode;

/** A customer who can pay, and one whom she has paid. */
async function paid() {
  const partner = await server.newPartner({ float: 1000 });
  const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
  const rent = { paytag: bola.paytag, amount: 100, reference: 'rent', comment: 'May' };
  const first = await pay(server, ada, rent);
  expect(first.statusCode).toBe(200);
  return { partner, ada, bola, rent, first: first.json() };
}

describe('a transfer sent again answers as it did, and moves nothing', () => {
  it('when the payee’s primary wallet is another one now', async () => {
    const { partner, ada, bola, rent, first } = await paid();
    await logInAt(server, await server.newPartner(), bola);
    await moveMoney(server, partner, bola.wallet, 'debit', { amount: 95, reference: 'all' });
    expect((await revoke(bola.wallet)).statusCode).toBe(200);
    await leavesNothingBut(server, 0, async () => expect((await pay(server, ada, rent)).json()).toEqual(first));
  });

  it('when the payee has closed the PayTag, or is suspended', async () => {
    const { ada, bola, rent, first } = await paid();
    for (const change of ['suspend', 'close'] as const) {
      expect((await moveTag(server, bola.paytag, change)).statusCode).toBe(200);
      const again = await leavesNothingBut(server, 0, () => pay(server, ada, { ...rent, paytag: `@${bola.paytag}` }));
      expect(again.json()).toEqual(first);
      expect(codeOf(await pay(server, ada, { ...rent, amount: 101 }))).toBe('REFERENCE_REUSED');
    }
    expect(codeOf(await pay(server, ada, { ...rent, reference: 'new' }))).toBe('PAYTAG_NOT_FOUND');
  });

  it('when her wallet there was revoked and another one opened', async () => {
    const { partner, ada, rent, first } = await paid();
    await moveMoney(server, partner, ada.wallet, 'debit', { amount: 390, reference: 'empty' });
    expect((await revoke(ada.wallet)).statusCode).toBe(200);
    const anew = await logInAt(server, partner, ada);
    expect(anew.wallet).not.toBe(ada.wallet);
    await leavesNothingBut(server, 0, async () => expect((await pay(server, anew, rent)).json()).toEqual(first));
  });

  it('but from her wallet at another partner it is another request, which shows nothing of this one', async () => {
    const { ada, rent } = await paid();
    const elsewhere = await logInAt(server, await server.newPartner({ float: 500 }), ada, 500);
    const again = await leavesNothingBut(server, 0, () => pay(server, elsewhere, rent));
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'REFERENCE_REUSED']);
  });
});

describe('a partner’s movement sent again answers as it did, and moves nothing', () => {
  it('when the wallet was revoked since', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const out = { amount: 100, reference: 'out', externalReference: 'o-1', metadata: { z: 1, a: [{ b: 2, a: 1 }] } };
    const first = await moveMoney(server, partner, wallet, 'debit', out);
    expect((await revoke(wallet)).statusCode).toBe(200);
    await leavesNothingBut(server, 0, async () => {
      expect((await moveMoney(server, partner, wallet, 'debit', out)).json()).toEqual(first.json());
      const credit = { amount: 100, reference: 'opening' };
      expect((await moveMoney(server, partner, wallet, 'credit', credit)).statusCode).toBe(200);
    });
    expect(codeOf(await moveMoney(server, partner, wallet, 'debit', { ...out, amount: 99 }))).toBe('REFERENCE_REUSED');
    expect(codeOf(await moveMoney(server, partner, wallet, 'credit', out))).toBe('REFERENCE_REUSED');
    expect(codeOf(await moveMoney(server, partner, wallet, 'debit', { ...out, reference: 'x' }))).toBe(
      'WALLET_NOT_FOUND',
    );
  });

  it('and the same words for another wallet are another request', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const other = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'debit', { amount: 50, reference: 'back' });
    const answer = await moveMoney(server, partner, other, 'credit', { amount: 100, reference: 'opening' });
    expect(codeOf(answer)).toBe('REFERENCE_REUSED');
  });

  it('a refund that waited and has been credited since is Pending as it was, and without balances', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'out' });
    await changeWallet(server, wallet, { status: 'PNC' });
    const back = () => refund(server, partner, 'out', { reference: 'back', amount: 30 });
    const first = await back();
    expect(first.json()).toMatchObject({ Status: 'Pending', Amount: 30, ExternalReference: 'out' });
    expect(first.body).not.toMatch(/Balance|CompletedAt/);
    await changeWallet(server, wallet, { status: 'Enabled' });
    await leavesNothingBut(server, 0, async () => expect((await back()).json()).toEqual(first.json()));
  });
});

describe('a declined reference is declined again, with the same code', () => {
  it('whether what it speaks of can be found now, or would do it now', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const over = { amount: 101, reference: 'over' };
    const decline = async () => codeOf(await moveMoney(server, partner, wallet, 'debit', over));
    expect(await decline()).toBe('INSUFFICIENT_FUNDS');
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 50, reference: 'more' });
    await moveMoney(server, partner, wallet, 'credit', { amount: 48, reference: 'more' });
    expect(await decline()).toBe('INSUFFICIENT_FUNDS');
    await moveMoney(server, partner, wallet, 'debit', { amount: 148, reference: 'all' });
    expect((await revoke(wallet)).statusCode).toBe(200);
    expect(await decline()).toBe('INSUFFICIENT_FUNDS');
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
