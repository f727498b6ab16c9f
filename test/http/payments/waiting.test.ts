import { describe, expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { auditOf } from '../../support/operators.ts';
import { newSplit, newTerminal, payAt, seeSplit } from '../../support/terminals.ts';
import { bookOf, changeWallet, moveMoney, newWallet, paymentsOf, refund, statusEvents } from '../../support/wallets.ts';

describe('a payment in suspense', () => {
  const server = useApp({ FEE_PARTNER_GATEWAY: '1%', FEE_PARTNER_TERMINAL: '1.5%', FEE_STAMP_DUTY: '50>=10000' });
  const { gateway, atTerminal, inbound } = paymentsOf(server);
  const seen = async ({ headers }: { headers: Record<string, string> }, reference: string) =>
    (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json();
  const MOST = 9_999_999_999_999.99;

  describe('money that has arrived for a wallet', () => {
    const waits: [string, string, (wallet: { reference: string }) => Promise<unknown>][] = [
      ['is blocked', 'WALLET_BLOCKED', ({ reference }) => changeWallet(server, reference, { status: 'Blocked' })],
      ['takes nothing in', 'WALLET_PNC', ({ reference }) => changeWallet(server, reference, { status: 'PNC' })],
      [
        'is revoked',
        'WALLET_REVOKED',
        ({ reference }) => server.operate('POST', `/wallets/${reference}/revoke`, { reason: 'she left' }),
      ],
    ];

    it.each(waits)('that %s waits, with its reason and its report', async (_, reason, change) => {
      const partner = await server.newPartner();
      const wallet = await newWallet(server, partner);
      await change(wallet);
      const pending = { Status: 'Pending', PendingReason: reason };
      const paid = await gateway(partner, { walletReference: wallet.reference, reference: `g-${partner.id}` });
      expect([paid.statusCode, paid.json()]).toEqual([200, expect.objectContaining({ ...pending, Net: 990 })]);
      expect(paid.json()).not.toHaveProperty('CompletedAt');
      expect(paid.json()).not.toHaveProperty('ClosingBalance');
      const sent = await inbound(wallet.nuban, { amount: 20_000 });
      expect([sent.statusCode, sent.json()]).toEqual([200, expect.objectContaining({ ...pending, Net: 19_950 })]);
      expect(await seen(partner, `g-${partner.id}`)).toEqual(paid.json());
      expect(await seen(partner, sent.json().Reference)).toEqual(sent.json());
      expect(await bookOf(server, 'WALLET', wallet.reference)).toEqual({ kobo: 0, entries: 0 });
      expect([await eventsOf(server, wallet.reference), await statusEvents(server, partner)]).toEqual([[], []]);
      const [audited] = await auditOf(server, `g-${partner.id}`);
      expect(audited).toMatchObject({ action: 'payment.report', after: { pendingReason: reason } });
      expect(await brokenInvariants(server)).toEqual([]);
    });

    it('of points waits when it is naira, and hinders no revocation', async () => {
      const partner = await server.newPartner();
      const wallet = await newWallet(server, partner, 'FP');
      for (const answer of [
        await gateway(partner, { walletReference: wallet.reference }),
        await inbound(wallet.nuban),
      ]) {
        expect(answer.json()).toMatchObject({ Status: 'Pending', PendingReason: 'CURRENCY_MISMATCH' });
      }
      const revoked = await server.operate('POST', `/wallets/${wallet.reference}/revoke`, { reason: 'she left' });
      expect(revoked.statusCode).toBe(200);
      expect(await brokenInvariants(server)).toEqual([]);
    });

    it('that it would overfill waits, and is credited by itself once there is room', async () => {
      const partner = await server.newPartner({ float: MOST });
      const { reference: wallet, nuban } = await newWallet(server, partner);
      await moveMoney(server, partner, wallet, 'credit', { amount: MOST, reference: 'all' });
      const sent = await inbound(nuban, { amount: 5 });
      expect(sent.json()).toMatchObject({ Status: 'Pending', PendingReason: 'BALANCE_EXCEEDED' });
      await maintain(server.resources);
      expect(await seen(partner, sent.json().Reference)).toMatchObject({ Status: 'Pending' });
      await moveMoney(server, partner, wallet, 'debit', { amount: 5, reference: 'room' });
      await maintain(server.resources);
      expect(await seen(partner, sent.json().Reference)).toMatchObject({ Status: 'Successful', ClosingBalance: MOST });
    });

    it('is credited when the wallet takes money again: wallet.credited and transaction.status then, and not before', async () => {
      const partner = await server.newPartner();
      const wallet = await newWallet(server, partner);
      await changeWallet(server, wallet.reference, { status: 'PNC' });
      const sender = { name: 'Bola Ade', paytag: 'bola', type: 'CARD' };
      const first = (await gateway(partner, { walletReference: wallet.reference, reference: 'g1', sender })).json();
      await changeWallet(server, wallet.reference, { status: 'Enabled' });
      const now = await seen(partner, 'g1');
      expect(now).toMatchObject({ Status: 'Successful', OpeningBalance: 0, ClosingBalance: 990, Fee: 10 });
      expect(now).not.toHaveProperty('PendingReason');
      const [credited] = await eventsOf(server, wallet.reference);
      expect(credited).toMatchObject({
        event: 'wallet.credited',
        data: { Amount: 990, ClosingBalance: 990, CreatedAt: now.CompletedAt, Transaction: { Amount: 1000, Fee: 10 } },
      });
      const events = (await statusEvents(server, partner)).map((body) => JSON.parse(body));
      expect(events).toMatchObject([
        {
          reference: 'g1',
          data: {
            Status: 'Successful',
            Net: 990,
            Date: now.CreatedAt,
            CompletedAt: now.CompletedAt,
            Sender: 'Bola Ade',
            SenderDetails: { Paytag: 'bola', Type: 'CARD' },
            Recipient: wallet.reference,
          },
        },
      ]);
      const again = await gateway(partner, { walletReference: wallet.reference, reference: 'g1', sender });
      expect(again.json()).toEqual(first);
      const { items } = (
        await server.call('GET', `/v2/partner/wallet/${wallet.reference}/history`, { headers: partner.headers })
      ).json();
      expect(items).toMatchObject([{ Reference: 'g1', CreatedAt: now.CompletedAt }]);
      expect((await refund(server, partner, 'g1', { reference: 'g1-back', amount: 990 })).statusCode).toBe(200);
      expect(await bookOf(server, 'WALLET', wallet.reference)).toEqual({ kobo: 0, entries: 2 });
      expect(await brokenInvariants(server)).toEqual([]);
    });
  });

  describe('an instalment that its split does not take', () => {
    it('waits, and leaves the split and the terminal as they were', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 100);
      await atTerminal(terminal, { split, amount: 60 });
      const over = await atTerminal(terminal, { split, amount: 40.01, reference: 'over' });
      expect([over.statusCode, over.json()]).toEqual([
        200,
        expect.objectContaining({ Status: 'Pending', PendingReason: 'SPLIT_OVERPAYMENT', ExternalReference: split }),
      ]);
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 60, Status: 'Pending' });
      await atTerminal(terminal, { split, amount: 40 });
      const late = await atTerminal(terminal, { split, amount: 1 });
      expect(late.json()).toMatchObject({ Status: 'Pending', PendingReason: 'SPLIT_NOT_PAYABLE' });
      await maintain(server.resources);
      expect(await seen(partner, 'over')).toEqual(over.json());
      expect((await atTerminal(terminal, { split, amount: 40.01, reference: 'over' })).json()).toEqual(over.json());
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 100, Status: 'Paid' });
      const told = (await statusEvents(server, partner)).map((body) => JSON.parse(body).data.Terminal.Balance);
      expect(told).toEqual([59.1, 98.5]);
      expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 9_850, entries: 2 });
      expect(await brokenInvariants(server)).toEqual([]);
    });
  });
});

describe('the transaction.status event', () => {
  const server = useApp({ FEE_PARTNER_TERMINAL: '1.5%', FEE_COMMISSION: '2.5', PUBLIC_URL: 'https://pay.example.com' });

  const device = {
    terminalId: '2ABC0001',
    merchant: 'Mama Nkechi Stores',
    email: 'till@nkechi.example',
    phoneNumber: '+2348031234567',
    paytag: 'nkechi',
    metadata: { shelf: 4, 10: 'ten', 2: 'two' },
  };

  it('carries every member of the contract, in its order, with the terminal as it is after the payment', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner, device);
    const sender = { name: 'Bola Ade', paytag: 'bola', type: 'CARD' };
    await payAt(server, terminal, { amount: 500, reference: 't0' });
    await payAt(server, terminal, {
      amount: 1000,
      reference: 't1',
      comment: 'Fridge',
      sender,
      metadata: { till: 3 },
    });
    const body = (await statusEvents(server, partner))[1] ?? '';
    const { Date: at, CompletedAt, Terminal } = JSON.parse(body).data;
    const { CreatedAt } = Terminal;
    for (const one of [at, CompletedAt, CreatedAt]) expect(one).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const expected = {
      event: 'transaction.status',
      reference: 't1',
      data: {
        Amount: 1000,
        Fee: 15,
        Commission: 2.5,
        Net: 982.5,
        Reference: 't1',
        Sender: 'Bola Ade',
        SenderDetails: { Name: 'Bola Ade', Paytag: 'bola', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 15 },
        Recipient: 'Mama Nkechi Stores',
        Status: 'Successful',
        Comment: 'Fridge',
        Date: at,
        CompletedAt,
        Metadata: { till: 3 },
        Terminal: {
          SerialNumber: terminal,
          TerminalID: '2ABC0001',
          Merchant: 'Mama Nkechi Stores',
          Email: 'till@nkechi.example',
          PhoneNumber: '+2348031234567',
          Status: 'Active',
          PayTag: 'nkechi',
          Qr: 'https://pay.example.com/p/nkechi',
          CreatedAt,
          Metadata: device.metadata,
          Balance: 1472.5,
        },
      },
    };
    expect(body).toBe(JSON.stringify(expected));
  });

  it('equals the output of JSON.stringify byte for byte, for any content', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner, device);
    const comment = 'naïve "quotes" \\ \n\t\u0001 ₦ 😀 </script>';
    for (const amount of [0.01, 0.1, 1, 1234.56, 9_999_999_999_999.99]) {
      await payAt(server, terminal, { amount, comment, metadata: { b: [1.5, null], a: { 2: 'x', 1: 'y' } } });
    }
    const bodies = await statusEvents(server, partner);
    expect(bodies).toHaveLength(5);
    for (const body of bodies) {
      expect(body).toBe(JSON.stringify(JSON.parse(body)));
      expect(JSON.parse(body).data.Comment).toBe(comment);
    }
  });

  it('has every member without a value too: an empty text or object, or 0; of what is a date, none', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    await payAt(server, terminal, { amount: 10, reference: 'bare', sender: {} });
    const gateway = { type: 'PARTNER_GATEWAY', partnerId: partner.id, amount: 10, reference: 'g' };
    await server.operate('POST', '/transactions', { ...gateway, sender: { name: 'Bola Ade' } });
    const [bare, online] = (await statusEvents(server, partner)).map((body) => JSON.parse(body).data);
    const none = { Sender: '', Comment: '', Metadata: {}, Recipient: expect.stringMatching(/^Partner \d+$/) };
    const noDetails = { Name: '', Paytag: '', Type: '', Currency: 'NGN', Amount: 10 };
    expect(bare).toMatchObject({ ...none, SenderDetails: { ...noDetails, Fee: 0.15 } });
    const noTerminal = {
      SerialNumber: '',
      TerminalID: '',
      Merchant: '',
      Email: '',
      PhoneNumber: '',
      Status: '',
      PayTag: '',
      Qr: '',
      Metadata: {},
      Balance: 0,
    };
    const { CreatedAt } = bare.Terminal;
    expect(bare.Terminal).toEqual({
      ...noTerminal,
      SerialNumber: terminal,
      Status: 'Active',
      CreatedAt: expect.any(String),
      Balance: 7.35,
    });
    expect(Date.parse(CreatedAt)).not.toBeNaN();
    expect(online).toMatchObject({ ...none, Sender: 'Bola Ade', SenderDetails: { ...noDetails, Name: 'Bola Ade' } });
    expect(online.Terminal).toEqual(noTerminal);
  });
});
