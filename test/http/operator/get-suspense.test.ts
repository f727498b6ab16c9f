import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { paymentsOf } from '../../support/payments.ts';
import { resolve, waitingPayment } from '../../support/suspense.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { changeWallet, fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_TERMINAL: '1%' });
const list = async (query: string) => (await server.operate('GET', `/suspense?${query}`)).json();

describe('200', () => {
  it('says what waits, why, since when, and what was reported of it; the oldest first', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'order' });
    await changeWallet(server, wallet, { status: 'Blocked' });
    await refund(server, partner, 'order', { reference: 'order-back', comment: 'sorry' });
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 10);
    const sender = { name: 'Bola Ade', type: 'CARD' };
    const over = await paymentsOf(server).atTerminal(terminal, { split, amount: 20, reference: 'over', sender });
    const page = await list(`partnerId=${partner.id}`);
    expect(page).toMatchObject({ count: 2, limit: 20, offset: 0 });
    const moment = expect.any(String);
    expect(page.items).toEqual([
      {
        id: expect.any(Number),
        type: 'PARTNER_REFUND',
        reference: 'order-back',
        externalReference: 'order',
        partnerId: partner.id,
        amount: 40,
        currency: 'NGN',
        reason: 'WALLET_BLOCKED',
        since: moment,
        walletReference: wallet,
        comment: 'sorry',
      },
      {
        id: over.json().ID,
        type: 'PARTNER_TERMINAL',
        reference: 'over',
        externalReference: split,
        partnerId: partner.id,
        amount: 19.8,
        currency: 'NGN',
        reason: 'SPLIT_OVERPAYMENT',
        since: over.json().CreatedAt,
        sender,
        terminal,
        split,
      },
    ]);
  });

  it('filters by partner and reason, pages, and leaves out what has been resolved', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    const first = await waitingPayment(server, one);
    const [second, third] = [await waitingPayment(server, one), await waitingPayment(server, one)];
    await waitingPayment(server, two);
    await resolve(server, first.id, { to: 'float' });
    const ids = async (query: string) =>
      (await list(`partnerId=${one.id}&${query}`)).items.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([second.id, third.id]);
    expect(await ids('limit=1&offset=1')).toEqual([third.id]);
    expect(await ids('reason=WALLET_PNC')).toEqual([second.id, third.id]);
    expect(await ids('reason=WALLET_REVOKED')).toEqual([]);
    expect((await list('reason=WALLET_PNC')).count).toBeGreaterThanOrEqual(3);
  });
});
