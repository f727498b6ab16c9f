import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { endAll } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { newReference, paymentsOf } from '../../support/payments.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';
import { fundedWallet, loggedIn, moveMoney, pay, refund } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%' });
const ask = (reference: string, query: Record<string, string | number> = {}) =>
  server.operate(
    'GET',
    `/transactions/${reference}?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
const read = async (reference: string, query: Record<string, string | number> = {}) => {
  const answer = await ask(reference, query);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

describe('200', () => {
  it('the entries with whose accounts they moved, what was refunded of it, and to what it was refused', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const reference = newReference();
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference });
    await refund(server, partner, reference, { reference: 'back', amount: 15 });
    await refund(server, partner, reference, { reference: 'too-much', amount: 26 });
    const full = await read(reference, { partnerId: partner.id });
    expect(full).toMatchObject({
      transaction: { Reference: reference, Type: 'PARTNER_WALLET_DEBIT', Namer: 'PARTNER', PartnerID: partner.id },
      following: [
        { Reference: 'too-much', Status: 'Failed', FailureReason: 'REFUND_EXCEEDS' },
        { Reference: 'back', Status: 'Successful', Amount: 15 },
      ],
      events: [{ event: 'wallet.debited', reference: wallet, ownerId: partner.id }],
    });
    const [left, reached] = full.entries.toSorted(
      (a: { amount: number }, b: { amount: number }) => a.amount - b.amount,
    );
    expect(left).toMatchObject({
      account: 'WALLET',
      reference: wallet,
      amount: -40,
      openingBalance: 100,
      closingBalance: 60,
    });
    expect(reached).toMatchObject({ account: 'FLOAT', reference: partner.id, amount: 40 });
    expect(full).not.toHaveProperty('refusal');
    expect(full.disputes).toEqual([]);
    expect(await read('back', { partnerId: partner.id })).toMatchObject({ original: { Reference: reference } });
  });

  it('the event of a movement that was booked in the millisecond in which its transaction began', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const references = Array.from({ length: 30 }, () => newReference());
    for (const reference of references) await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference });
    const all = await Promise.all(references.map((reference) => read(reference, { partnerId: partner.id })));
    expect(all.map(({ events }) => events.length)).toEqual(references.map(() => 1));
  });

  it('what is disputed of it', async () => {
    const { id, partner } = await newDispute(server);
    expect(await read('opening', { partnerId: partner.id })).toMatchObject({
      disputes: [{ id, state: 'OPEN', amount: 300 }],
    });
  });

  it('why one was declined, in words, found by its reference alone', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    const reference = `declined-${partner.id}`;
    await moveMoney(server, partner, wallet, 'debit', { amount: 11, reference });
    expect(await read(reference)).toMatchObject({
      transaction: { Status: 'Failed' },
      refusal: { code: 'INSUFFICIENT_FUNDS', happened: expect.stringContaining('not enough'), whatToDo: 'Fund it.' },
      entries: [],
    });
  });

  it('what a rail reported of a payment, the split it paid, and how its partner was told', async () => {
    const partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 50);
    const reference = newReference();
    await payAt(server, terminal, { amount: 20, split, reference, sender: { name: 'Bola Ade' } });
    await endAll(server.resources.pool, 'status 503');
    expect(await read(reference, { partnerId: partner.id })).toMatchObject({
      payment: { senderName: 'Bola Ade', terminal, split },
      events: [
        {
          event: 'transaction.status',
          ownerId: partner.id,
          deliveries: [{ status: 'FAILED', attempts: 1, lastError: 'status 503' }],
        },
      ],
    });
  });

  it('both sides of a transfer, and the event of each', async () => {
    const [one, other] = [
      await server.newPartner({ float: 100, webhookUrl: 'http://127.0.0.1:9/hooks' }),
      await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' }),
    ];
    const [ada, bola] = [await loggedIn(server, one, 50), await loggedIn(server, other)];
    const paid = await pay(server, ada, { paytag: bola.paytag, amount: 5, reference: newReference() });
    const { events, entries } = await read(paid.json<{ Reference: string }>().Reference);
    expect(entries).toHaveLength(2);
    const told = events.map(({ event, reference, ownerId }: Record<string, string>) => [event, reference, ownerId]);
    expect(told.toSorted()).toEqual([
      ['wallet.credited', bola.wallet, other.id],
      ['wallet.debited', ada.wallet, one.id],
    ]);
  });

  it('a payout of unknown end, with the money that is held for it', async () => {
    const { id, partner } = await unknownPayout(server);
    expect(await read('payout', { partnerId: partner.id })).toMatchObject({
      transaction: { Status: 'Pending' },
      payout: { id, state: 'UNKNOWN' },
      hold: { state: 'OPEN', amount: 300.03 },
      entries: [],
    });
  });

  it('the offer between tags that it settled, and what its applications were told', async () => {
    const acme = await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/hooks' });
    const bola = await loggedIn(server, await server.newPartner());
    const { id } = (await initiate(server, acme, { receiverTag: bola.paytag, reference: 'o' })).json().data;
    expect(await read(`SWT-${id}`)).toMatchObject({
      offer: { id, reference: 'o', status: 'ACCEPTED', senderTag: acme.tag, receiverTag: bola.paytag },
      events: [
        { event: 'wallet.credited', reference: bola.wallet },
        {
          event: 'TRANSACTION_ACCEPTED',
          ownerId: acme.applicationId,
          deliveries: [{ status: 'PENDING', attempts: 0 }],
        },
      ],
    });
  });
});

describe('400', () => {
  it('several with one reference are told apart by their ids', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference: 'same' });
    await paymentsOf(server).gateway(partner, { reference: 'same' });
    const refused = await ask('same', { partnerId: partner.id });
    expect(refused.statusCode).toBe(400);
    const ids = /name one of (\d+), (\d+)/.exec(refused.json<{ message: string }>().message)?.slice(1) ?? [];
    const types = await Promise.all(
      ids.map(async (id) => (await read('same', { partnerId: partner.id, id })).transaction.Type),
    );
    expect(new Set(types)).toEqual(new Set(['PARTNER_GATEWAY', 'PARTNER_WALLET_DEBIT']));
  });
});
