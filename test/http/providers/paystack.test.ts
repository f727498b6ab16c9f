import { beforeEach, describe, expect, it } from 'vitest';
import { paystackBank } from '../../../src/providers/bank/paystack.ts';
import { BankProviderDown } from '../../../src/providers/bank/port.ts';
import { providerClient } from '../../../src/providers/http-client.ts';
import { paystackPayout } from '../../../src/providers/payout/paystack.ts';
import { PayoutDiffers, PayoutNotSent, PayoutUnknown } from '../../../src/providers/payout/port.ts';
import { testClock } from '../../support/app.ts';
import { failureOf, paystack, paystackTransfers as replies, useless, useStandIn } from '../../support/provider.ts';
import type { Answer } from '../../support/receiver.ts';

const standIn = useStandIn();
const { receiver } = standIn;
const secretKey = 'sk_live_not_to_be_seen';

describe('Paystack', () => {
  const HOUR_MS = 3_600_000;
  const claim = {
    accountNumber: '0001234567',
    bankCode: '058',
    claimant: { firstName: 'Adaobi', lastName: 'Nwosu' },
  };
  const secrets = [secretKey, claim.accountNumber, 'Adaobi', 'Nwosu'];
  const banks = paystack.banks({ '058': 'Guaranty Trust Bank', '035A': 'ALAT by WEMA' });
  const bank = (clock = testClock()) => paystackBank(standIn.client, { secretKey, clock });

  /** Answers the list as it is, and name enquiries in turn. */
  function answer(...enquiries: Answer[]): void {
    let asked = 0;
    receiver.answer(({ path }) => (path.startsWith('/bank?') ? banks : (enquiries[asked++] ?? 500)));
  }
  const enquiries = () => receiver.requests.filter(({ path }) => path.startsWith('/bank/resolve'));
  const lists = () => receiver.requests.filter(({ path }) => path.startsWith('/bank?'));

  beforeEach(() => receiver.reset());

  describe('the requests', () => {
    it('are the documented ones, and do not identify the caller', async () => {
      answer(paystack.resolved('NWOSU ADAOBI'));
      await bank().enquire(claim);
      expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /bank?country=nigeria&use_cursor=true&perPage=100',
        'GET /bank/resolve?account_number=0001234567&bank_code=058',
      ]);
      for (const { headers, body } of receiver.requests) {
        expect(headers.authorization).toBe(`Bearer ${secretKey}`);
        expect(`${JSON.stringify(headers)}${body.toString()}`).not.toMatch(/adaobi|nwosu/i);
      }
    });
  });

  describe('an account', () => {
    it('has the name its bank gives it, and the bank its own', async () => {
      answer(paystack.resolved('NWOSU ADAOBI C'));
      expect(await bank().enquire(claim)).toEqual({ bankName: 'Guaranty Trust Bank', accountName: 'NWOSU ADAOBI C' });
    });

    it('and its bank have storable names, whatever the provider sends', async () => {
      const odd = paystack.banks({ '058': 'Bank\0\r\nof Lies' });
      const huge = paystack.resolved(`NWOSU\0ADAOBI ${'X'.repeat(500_000)}`);
      receiver.answer(({ path }) => (path.startsWith('/bank?') ? odd : huge));
      const account = await bank().enquire(claim);
      expect(account?.bankName).toBe('Bank of Lies');
      expect(account?.accountName).toMatch(/^NWOSU ADAOBI X+$/);
      expect(account?.accountName).toHaveLength(300);
    });

    it.each(['unresolved', 'badRequest'] as const)('is none on %s', async (reply) => {
      answer(paystack[reply]);
      expect(await bank().enquire(claim)).toBeUndefined();
    });

    it('of a bank that is not in the list is none, and is not asked for', async () => {
      answer(paystack.resolved('NWOSU ADAOBI'));
      expect(await bank().enquire({ ...claim, bankCode: '999' })).toBeUndefined();
      expect(enquiries()).toHaveLength(0);
    });
  });

  describe('no answer', () => {
    it.each(useless)('is had from one that %s: it is asked once', async (_, reply) => {
      answer(reply, paystack.resolved('NWOSU ADAOBI'));
      expect(await failureOf(bank().enquire(claim), secrets)).toBeInstanceOf(BankProviderDown);
      expect(enquiries()).toHaveLength(1);
    });

    it.each(useless)('is had when the list comes from one that %s, and it is not remembered', async (_, reply) => {
      const asked = bank();
      receiver.answer([reply]);
      expect(await failureOf(asked.enquire(claim), secrets)).toBeInstanceOf(BankProviderDown);
      answer(paystack.resolved('NWOSU ADAOBI'));
      expect(await asked.enquire(claim)).toMatchObject({ accountName: 'NWOSU ADAOBI' });
    });

    it('is had in test mode once its few enquiries are used up', async () => {
      answer(paystack.testLimit);
      expect(await failureOf(bank().enquire(claim), secrets)).toMatchObject({
        name: 'BankProviderDown',
        message: 'Paystack: we ask too often (status 429)',
      });
    });

    it('by a connection that is cut is asked for a second time, and never a third', async () => {
      answer('drop', paystack.resolved('NWOSU ADAOBI'));
      expect(await bank().enquire(claim)).toMatchObject({ accountName: 'NWOSU ADAOBI' });
      receiver.reset();
      answer('drop', 'drop', paystack.resolved('NWOSU ADAOBI'));
      expect(await failureOf(bank().enquire(claim), secrets)).toBeInstanceOf(BankProviderDown);
      expect(enquiries()).toHaveLength(2);
    });
  });

  describe('the list of banks', () => {
    it('is read to its last page', async () => {
      receiver.answer(({ path }) => {
        if (path.startsWith('/bank/resolve')) return paystack.resolved('NWOSU ADAOBI');
        return path.includes('next=page-2') ? banks : paystack.banks({ '044': 'Access Bank' }, 'page-2');
      });
      const asked = bank();
      expect(await asked.enquire(claim)).toMatchObject({ bankName: 'Guaranty Trust Bank' });
      expect(await asked.enquire({ ...claim, bankCode: '044' })).toMatchObject({ bankName: 'Access Bank' });
      expect(lists()).toHaveLength(2);
    });

    it('that never ends is not read for ever', async () => {
      receiver.answer(({ path }) =>
        path.startsWith('/bank/resolve')
          ? paystack.resolved('NWOSU ADAOBI')
          : paystack.banks({ '058': 'Guaranty Trust Bank' }, 'again'),
      );
      expect(await bank().enquire(claim)).toMatchObject({ bankName: 'Guaranty Trust Bank' });
      expect(lists()).toHaveLength(20);
    });

    it('is read once by all who ask at the same time, and again when it is old', async () => {
      const clock = testClock();
      const asked = bank(clock);
      receiver.answer(({ path }) => (path.startsWith('/bank?') ? banks : paystack.resolved('NWOSU ADAOBI')));
      await Promise.all(Array.from({ length: 10 }, () => asked.enquire(claim)));
      expect(lists()).toHaveLength(1);
      clock.advance(5 * HOUR_MS);
      await asked.enquire(claim);
      expect(lists()).toHaveLength(1);
      clock.advance(HOUR_MS + 1);
      await asked.enquire(claim);
      expect(lists()).toHaveLength(2);
    });
  });
});

describe('Paystack, payouts', () => {
  const order = {
    reference: 'payout-0123456789abcdef',
    amount: 150_050n,
    accountNumber: '0001234567',
    bankCode: '058',
    accountName: 'NWOSU ADAOBI',
    narration: 'PayTag payout',
  };
  const secrets = [secretKey, order.accountNumber, 'NWOSU'];
  const SENT_AT = new Date('2026-01-31T08:00:00Z');
  const inTime = async (): Promise<boolean> => true;
  const payouts = () => paystackPayout(standIn.client, { secretKey });
  const transfer = (status: string, given: object = {}) =>
    replies.transfer({ reference: order.reference, amount: Number(order.amount), status, ...given });

  /** Makes a recipient of the account, and answers this to the transfer. */
  const answer = (toTransfer: Answer, toRecipient: Answer = replies.recipient): void => {
    receiver.answer(({ path }) => (path === '/transferrecipient' ? toRecipient : toTransfer));
  };
  const transfers = () => receiver.requests.filter(({ path }) => path === '/transfer');

  beforeEach(() => receiver.reset());

  describe('a payment', () => {
    it('is asked for once, as documented: a recipient, and a transfer to it under our reference', async () => {
      answer(transfer('pending'));
      expect(await payouts().send(order, inTime)).toEqual({ state: 'PENDING', providerId: 'TRF_v5tip3zx8nna9o78' });
      const sent = receiver.requests.map(({ method, path, body }) => [method, path, JSON.parse(body.toString())]);
      expect(sent).toEqual([
        [
          'POST',
          '/transferrecipient',
          { type: 'nuban', name: 'NWOSU ADAOBI', account_number: '0001234567', bank_code: '058', currency: 'NGN' },
        ],
        [
          'POST',
          '/transfer',
          {
            source: 'balance',
            amount: 150_050,
            recipient: 'RCP_m7ljkv8leesep7p',
            reference: order.reference,
            currency: 'NGN',
            reason: 'PayTag payout',
          },
        ],
      ]);
      for (const { headers } of receiver.requests) expect(headers.authorization).toBe(`Bearer ${secretKey}`);
    });

    it.each([
      ['success', 'SUCCESSFUL'],
      ['pending', 'PENDING'],
      ['otp', 'PENDING'],
      ['received', 'PENDING'],
      ['failed', 'FAILED'],
      ['abandoned', 'FAILED'],
      ['reversed', 'REVERSED'],
    ])('that is %s there is %s', async (status, state) => {
      receiver.answer(() => transfer(status, { recipient: replies.payee(order.accountNumber) }));
      expect(await payouts().verify(order, SENT_AT)).toMatchObject({ state });
      expect(receiver.requests.map(({ path }) => path)).toEqual([`/transfer/verify/${order.reference}`]);
    });

    it('that Paystack refuses has failed, in its words', async () => {
      answer(replies.refused);
      expect(await payouts().send(order, inTime)).toEqual({
        state: 'FAILED',
        detail: 'Recipient specified is invalid',
      });
    });

    it('that Paystack does not have is not found', async () => {
      receiver.answer(() => replies.notFound);
      expect(await payouts().verify(order, SENT_AT)).toEqual({ state: 'NOT_FOUND' });
      receiver.answer(() => ({ ...replies.notFound, body: '{"status":false,"message":"Endpoint not found"}' }));
      expect(await failureOf(payouts().verify(order, SENT_AT), secrets)).toBeInstanceOf(PayoutUnknown);
    });
  });

  describe('what Paystack has under our reference is another payment, whatever it says of it', () => {
    it.each([
      ['to another account', { recipient: replies.payee('0001234568') }],
      ['to another account at a bank that is not named', { recipient: { details: { account_number: '0001234568' } } }],
      ['to another bank', { recipient: replies.payee(order.accountNumber, '057') }],
      ['of another amount', { recipient: replies.payee(order.accountNumber), amount: 150_051 }],
    ])('%s', async (_, given) => {
      for (const status of ['success', 'failed', 'pending', 'reversed']) {
        receiver.answer(() => transfer(status, given));
        expect(await failureOf(payouts().verify(order, SENT_AT), secrets)).toBeInstanceOf(PayoutDiffers);
      }
    });

    it('or may be, where it does not say to whom it goes', async () => {
      for (const recipient of [28, { details: { account_number: order.accountNumber, bank_code: null } }]) {
        receiver.answer(() => transfer('success', { recipient }));
        const failure = await failureOf(payouts().verify(order, SENT_AT), secrets);
        expect(failure).toBeInstanceOf(PayoutUnknown);
        expect(failure).not.toBeInstanceOf(PayoutDiffers);
      }
    });

    it('as soon as it is made, where the answer names the payee', async () => {
      answer(transfer('success', { recipient: replies.payee('0001234568') }));
      expect(await failureOf(payouts().send(order, inTime), secrets)).toBeInstanceOf(PayoutDiffers);
      answer(transfer('success', { recipient: replies.payee(order.accountNumber) }));
      expect(await payouts().send(order, inTime)).toMatchObject({ state: 'SUCCESSFUL' });
    });
  });

  describe('nothing was asked for', () => {
    it.each<[string, Answer, Answer]>([
      ['our balance there is too low', replies.lowBalance, replies.recipient],
      ['the recipient cannot be made now', transfer('success'), 500],
      ['it says nothing about the recipient', transfer('success'), 'drop'],
      ['our credentials are refused', transfer('success'), 401],
      ['its recipient is another account', transfer('success'), replies.recipientOf('0001234568')],
      ['it sends us elsewhere', transfer('success'), { status: 302, headers: { location: '/elsewhere' } }],
      ['we ask too often', replies.tooOften, replies.recipient],
    ])('when %s', async (_, toTransfer, toRecipient) => {
      answer(toTransfer, toRecipient);
      expect(await failureOf(payouts().send(order, inTime), secrets)).toBeInstanceOf(PayoutNotSent);
    });

    it('when making a recipient took longer than the worker has', async () => {
      answer(transfer('success'));
      const late = payouts().send(order, async () => receiver.requests.length === 0);
      expect(await failureOf(late, secrets)).toBeInstanceOf(PayoutNotSent);
      expect(transfers()).toEqual([]);
    });

    it('when it cannot be reached', async () => {
      const client = providerClient({ origin: 'http://127.0.0.1:9', timeoutMs: 1_000 });
      const failure = await failureOf(paystackPayout(client, { secretKey }).send(order, inTime), secrets);
      await client.close();
      expect(failure).toBeInstanceOf(PayoutNotSent);
    });
  });

  describe('nobody knows what became of it', () => {
    it.each<[string, Answer]>([
      ['fails', 500],
      ['breaks off', 'drop'],
      ['has had this reference before', replies.duplicate],
      ['speaks of another amount', transfer('success', { amount: 150_051 })],
      ['speaks of another transfer', transfer('success', { reference: 'payout-of-another' })],
      ['answers what is no JSON', { status: 200, body: '<html>' }],
      ['answers nothing with a status that says nothing', { ...replies.refused, status: 409 }],
      ['says no, and that it went well', { ...replies.refused, status: 200 }],
      ['sends us elsewhere', { status: 307, headers: { location: '/elsewhere' } }],
      ['speaks of half a kobo', transfer('success', { amount: 150_050.5 })],
      ['speaks of an amount in words', transfer('success', { amount: '150050' })],
    ])('when Paystack %s, and it is not asked for again', async (_, toTransfer) => {
      answer(toTransfer);
      expect(await failureOf(payouts().send(order, inTime), secrets)).toBeInstanceOf(PayoutUnknown);
      expect(transfers()).toHaveLength(1);
    });
  });
});
