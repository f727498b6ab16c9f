import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { bookOf, newWallet, paymentsOf, statusEvents } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';
import { moveMoney } from '../../support/wallets.ts';

const server = useApp();
const { gateway, atTerminal, inbound } = paymentsOf(server);
const seen = async ({ headers }: { headers: Record<string, string> }, reference: string) =>
  (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json();

describe('a report under a reference that the partner has used itself', () => {
  it('is booked under one of ours, and the rail’s is its ExternalReference', async () => {
    const partner = await server.newPartner({ float: 10 });
    const wallet = await newWallet(server, partner);
    await moveMoney(server, partner, wallet.reference, 'credit', { amount: 10, reference: 'order-1' });
    const paid = await gateway(partner, { walletReference: wallet.reference, reference: 'order-1' });
    const { Reference } = paid.json();
    expect([paid.statusCode, paid.json()]).toEqual([
      200,
      expect.objectContaining({ Status: 'Successful', ExternalReference: 'order-1', ClosingBalance: 1010 }),
    ]);
    expect(Reference).toMatch(/^RPT-[0-9a-f]{32}$/);
    const told = (await eventsOf(server, wallet.reference)) as { data: { Transaction: { Reference: string } } }[];
    expect(told.map(({ data }) => data.Transaction.Reference)).toEqual(['order-1', Reference]);
    expect(JSON.parse((await statusEvents(server, partner))[0] ?? '')).toMatchObject({ reference: Reference });
    expect(await seen(partner, 'order-1')).toMatchObject({ Type: 'PARTNER_WALLET_CREDIT' });
    expect(await seen(partner, Reference)).toEqual(paid.json());
    const again = await gateway(partner, { walletReference: wallet.reference, reference: 'order-1' });
    expect(again.json()).toEqual(paid.json());
    expect(refusalOf(await gateway(partner, { reference: 'order-1' }))).toEqual([409, 'REFERENCE_REUSED']);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('finds its first booking again also when the partner used the reference only later', async () => {
    const partner = await server.newPartner({ float: 10 });
    const wallet = await newWallet(server, partner);
    const first = await gateway(partner, { reference: 'order-2' });
    await moveMoney(server, partner, wallet.reference, 'credit', { amount: 10, reference: 'order-2' });
    expect((await gateway(partner, { reference: 'order-2' })).json()).toEqual(first.json());
    expect(first.json()).toMatchObject({ Reference: 'order-2' });
  });

  it('at the same moment: one booking, whichever form it gets', async () => {
    for (let round = 0; round < 5; round++) {
      const partner = await server.newPartner({ float: 10 });
      const wallet = await newWallet(server, partner);
      const pay = () => gateway(partner, { walletReference: wallet.reference, reference: 'order-3', amount: 7 });
      const credit = { amount: 10, reference: 'order-3' };
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, pay),
        moveMoney(server, partner, wallet.reference, 'credit', credit),
        ...Array.from({ length: 6 }, pay),
      ]);
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      expect(await bookOf(server, 'WALLET', wallet.reference)).toEqual({ kobo: 1_700, entries: 2 });
    }
  });
});

describe('the references of rails', () => {
  it('two different reports under one reference of a partner: the second is refused; of two partners: both are booked', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    const terminal = await newTerminal(server, one);
    expect((await gateway(one, { reference: 'r' })).statusCode).toBe(200);
    expect(refusalOf(await atTerminal(terminal, { reference: 'r' }))).toEqual([409, 'REFERENCE_REUSED']);
    expect((await gateway(two, { reference: 'r' })).statusCode).toBe(200);
  });

  it('what was refused as unknown leaves its reference free', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const refused = [
      await gateway(partner, { walletReference: 'PW-none', reference: 'typo' }),
      await atTerminal(terminal, { split: 'SPL-none', reference: 'typo' }),
      await inbound('0000000000', { reference: `typo-${partner.id}` }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    const wallet = await newWallet(server, partner);
    expect((await atTerminal(terminal, { reference: 'typo' })).json()).toMatchObject({ Status: 'Successful' });
    const corrected = await inbound(wallet.nuban, { reference: `typo-${partner.id}` });
    expect(corrected.json()).toMatchObject({ Status: 'Successful' });
  });

  it('an instalment of ours still names its split', async () => {
    const partner = await server.newPartner({ float: 1 });
    const wallet = await newWallet(server, partner);
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 100);
    await moveMoney(server, partner, wallet.reference, 'credit', { amount: 1, reference: 'card-1' });
    const paid = await atTerminal(terminal, { split, amount: 40, reference: 'card-1' });
    expect(paid.json()).toMatchObject({ Status: 'Successful', ExternalReference: 'card-1' });
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 40 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
