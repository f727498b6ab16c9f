import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { eventsOf } from '../../support/books.ts';
import { kycWallet, loggedIn, moveMoney, pay, paymentsOf, refund, statusEvents } from '../../support/wallets.ts';

describe('the events of the contract', () => {
  /** Every member that the contract's Events section names, and no other; transaction.status at a terminal has its own test. */
  const server = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_GATEWAY: '1%', FEE_COMMISSION: '0.5' });
  const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  async function walletWith(naira: number): Promise<{ partner: TestPartner; wallet: string }> {
    const partner = await server.newPartner({ float: 10_000 });
    const wallet = await kycWallet(server, partner);
    const payload = { amount: naira, reference: 'credit-1', externalReference: 'theirs', comment: 'Salary ₦' };
    expect((await moveMoney(server, partner, wallet, 'credit', payload)).statusCode).toBe(200);
    return { partner, wallet };
  }
  const lastOf = async (wallet: string) => (await eventsOf(server, wallet)).at(-1);

  describe('the wallet events have every member of the contract and no other', () => {
    it('wallet.credited for a credit request', async () => {
      const { wallet } = await walletWith(500.25);
      expect(await lastOf(wallet)).toEqual({
        event: 'wallet.credited',
        reference: wallet,
        data: {
          Amount: 500.25,
          Operation: 'Credit',
          Transaction: {
            Amount: 500.25,
            Fee: 0,
            Status: 'Successful',
            Reference: 'credit-1',
            ExternalReference: 'theirs',
            Comment: 'Salary ₦',
          },
          OpeningBalance: 0,
          ClosingBalance: 500.25,
          CreatedAt: MOMENT,
        },
      });
    });

    it('wallet.debited for a debit request, its Amount negative and the transaction’s unsigned', async () => {
      const { partner, wallet } = await walletWith(500);
      await moveMoney(server, partner, wallet, 'debit', { amount: 120.5, reference: 'debit-1', comment: 'Rent' });
      expect(await lastOf(wallet)).toEqual({
        event: 'wallet.debited',
        reference: wallet,
        data: {
          Amount: -120.5,
          Operation: 'Debit',
          Transaction: {
            Amount: 120.5,
            Fee: 0,
            Status: 'Successful',
            Reference: 'debit-1',
            ExternalReference: '',
            Comment: 'Rent',
          },
          OpeningBalance: 500,
          ClosingBalance: 379.5,
          CreatedAt: MOMENT,
        },
      });
    });

    it('both for a transfer, each with the fee that its own wallet paid', async () => {
      const partner = await server.newPartner({ float: 10_000 });
      const [ada, bola] = [await loggedIn(server, partner, 1_000), await loggedIn(server, partner)];
      const payment = { paytag: bola.paytag, amount: 250.5, reference: 'lunch', comment: 'Half of it' };
      const { Reference } = (await pay(server, ada, payment)).json();
      const common = { Status: 'Successful', Reference, Comment: 'Half of it' };
      expect(await lastOf(ada.wallet)).toEqual({
        event: 'wallet.debited',
        reference: ada.wallet,
        data: {
          Amount: -260.5,
          Operation: 'Debit',
          Transaction: { ...common, ExternalReference: 'lunch', Amount: 250.5, Fee: 10 },
          OpeningBalance: 1_000,
          ClosingBalance: 739.5,
          CreatedAt: MOMENT,
        },
      });
      expect(await lastOf(bola.wallet)).toMatchObject({
        event: 'wallet.credited',
        data: { Amount: 250.5, Transaction: { ...common, ExternalReference: '', Amount: 250.5, Fee: 0 } },
      });
    });

    it('wallet.credited for a refund into the wallet: the reversal’s reference, and the original’s beside it', async () => {
      const { partner, wallet } = await walletWith(500);
      await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'order-1' });
      await refund(server, partner, 'order-1', { reference: 'reversal-1', amount: 40.75, comment: 'Returned' });
      expect(await lastOf(wallet)).toEqual({
        event: 'wallet.credited',
        reference: wallet,
        data: {
          Amount: 40.75,
          Operation: 'Credit',
          Transaction: {
            Amount: 40.75,
            Fee: 0,
            Status: 'Successful',
            Reference: 'reversal-1',
            ExternalReference: 'order-1',
            Comment: 'Returned',
          },
          OpeningBalance: 400,
          ClosingBalance: 440.75,
          CreatedAt: MOMENT,
        },
      });
    });

    it('wallet.debited for a refund out of the wallet', async () => {
      const { partner, wallet } = await walletWith(500);
      await refund(server, partner, 'credit-1', { reference: 'reversal-2' });
      expect(await lastOf(wallet)).toEqual({
        event: 'wallet.debited',
        reference: wallet,
        data: {
          Amount: -500,
          Operation: 'Debit',
          Transaction: {
            Amount: 500,
            Fee: 0,
            Status: 'Successful',
            Reference: 'reversal-2',
            ExternalReference: 'credit-1',
            Comment: '',
          },
          OpeningBalance: 500,
          ClosingBalance: 0,
          CreatedAt: MOMENT,
        },
      });
    });
  });

  it('transaction.status of a gateway payment has every member of the contract, the terminal’s without values', async () => {
    const partner = await server.newPartner();
    const { CreatedAt, CompletedAt, ...paid } = (
      await paymentsOf(server).gateway(partner, { reference: 'g-1', comment: 'Order 7', metadata: { order: 7 } })
    ).json();
    expect(paid).toMatchObject({ Status: 'Successful', Fee: 10, Commission: 0.5 });
    const [body = ''] = await statusEvents(server, partner);
    const event = JSON.parse(body);
    expect(event).toEqual({
      event: 'transaction.status',
      reference: 'g-1',
      data: {
        Amount: 1000,
        Fee: 10,
        Commission: 0.5,
        Net: 989.5,
        Reference: 'g-1',
        Sender: 'Bola Ade',
        SenderDetails: { Name: 'Bola Ade', Paytag: 'bola', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 10 },
        Recipient: expect.stringMatching(/^Partner \d+$/),
        Status: 'Successful',
        Comment: 'Order 7',
        Date: CreatedAt,
        CompletedAt,
        Metadata: { order: 7 },
        Terminal: {
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
        },
      },
    });
    expect([CreatedAt, CompletedAt]).toEqual([MOMENT, MOMENT]);
  });
});
