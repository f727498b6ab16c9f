import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { bookOf, newWallet, paymentsOf, statusEvents } from '../../support/payments.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';

const server = useApp({
  FEE_PARTNER_GATEWAY: '1%<=2000',
  FEE_PARTNER_TERMINAL: '1.5%',
  FEE_COMMISSION: '0.5%',
  FEE_STAMP_DUTY: '50>=10000',
});
const { gateway, atTerminal, inbound } = paymentsOf(server);
const moments = { CreatedAt: expect.any(String), CompletedAt: expect.any(String), ID: expect.any(Number) };

describe('200, PARTNER_GATEWAY', () => {
  it('brings what is left after fee and commission into the float', async () => {
    const partner = await server.newPartner();
    const answer = await gateway(partner, {
      amount: 1500.55,
      reference: 'g1',
      comment: 'Order 7',
      metadata: { till: 3 },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ...moments,
      Type: 'PARTNER_GATEWAY',
      Amount: 1500.55,
      Fee: 15.01,
      Commission: 7.5,
      Net: 1478.04,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 'g1',
      Comment: 'Order 7',
      Metadata: { till: 3 },
    });
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 147_804, entries: 1 });
  });

  it('goes to a wallet of the partner when it names one, and says its balances', async () => {
    const partner = await server.newPartner();
    const { reference } = await newWallet(server, partner);
    await gateway(partner, { walletReference: reference, amount: 100 });
    const answer = await gateway(partner, { walletReference: reference });
    expect(answer.json()).toMatchObject({ Net: 985, OpeningBalance: 98.5, ClosingBalance: 1083.5 });
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 0, entries: 0 });
    expect(await statusEvents(server, partner)).toHaveLength(2);
  });
});

describe('200, PARTNER_TERMINAL', () => {
  it('brings what is left into the float, and names the split it paid', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 2500);
    const answer = await atTerminal(terminal, { split, reference: 't1' });
    expect(answer.json()).toEqual({
      ...moments,
      Type: 'PARTNER_TERMINAL',
      Amount: 1000,
      Fee: 15,
      Commission: 5,
      Net: 980,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 't1',
      ExternalReference: split,
    });
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 1000, Remaining: 1500 });
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_000, entries: 1 });
  });

  it('needs neither a split nor a sender: a card may not name its holder', async () => {
    const terminal = await newTerminal(server, await server.newPartner());
    expect((await atTerminal(terminal, { sender: undefined })).json()).toMatchObject({ Status: 'Successful' });
  });
});

describe('200, INBOUND', () => {
  it('credits the wallet of an account number, less stamp duty, under a reference of ours', async () => {
    const partner = await server.newPartner();
    const wallet = await newWallet(server, partner);
    const answer = await inbound(wallet.nuban, { amount: 10_000, reference: 'NIP/1', comment: 'Rent' });
    expect(answer.json()).toEqual({
      ...moments,
      Type: 'INBOUND',
      Amount: 10_000,
      Fee: 0,
      Commission: 0,
      Net: 9950,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: expect.stringMatching(/^INB-[0-9a-f]{32}$/),
      ExternalReference: 'NIP/1',
      Comment: 'Rent',
      OpeningBalance: 0,
      ClosingBalance: 9950,
    });
    expect(await statusEvents(server, partner)).toEqual([]);
  });
});

describe('200, again', () => {
  it('a repeated reference of any kind answers as it did and moves nothing', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 1000);
    const wallet = await newWallet(server, partner);
    const reports = [
      () => gateway(partner, { reference: 'again-1', walletReference: wallet.reference }),
      () => atTerminal(terminal, { reference: 'again-2', split }),
      () => inbound(wallet.nuban, { reference: 'again-3' }),
    ];
    const firsts = [];
    for (const one of reports) firsts.push((await one()).json());
    for (const [index, one] of reports.entries()) expect((await one()).json()).toEqual(firsts[index]);
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ entries: 2 });
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ entries: 1 });
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 1000, Status: 'Paid' });
    expect(await statusEvents(server, partner)).toHaveLength(2);
    const audited = await server.owner.query(
      `select count(*)::int as n from audit.entry where action = 'payment.report' and after ->> 'partnerId' = $1`,
      [partner.id],
    );
    expect(audited.rows[0].n).toBe(3);
  });

  it('a reference sent twenty times at once is one payment and one event', async () => {
    const partner = await server.newPartner();
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway(partner, { reference: 'twins' })));
    expect(new Set(all.map(({ body }) => body)).size).toBe(1);
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_500, entries: 1 });
    expect(await statusEvents(server, partner)).toHaveLength(1);
  });
});
