import { beforeEach, describe, expect, it } from 'vitest';
import { paystackBank } from '../../../src/providers/bank/paystack.ts';
import { BankProviderDown } from '../../../src/providers/bank/port.ts';
import { testClock } from '../../support/clock.ts';
import { failureOf, useStandIn } from '../../support/provider.ts';
import { paystack, useless } from '../../support/provider-replies.ts';
import type { Answer } from '../../support/receiver.ts';

const HOUR_MS = 3_600_000;
const standIn = useStandIn();
const { receiver } = standIn;
const secretKey = 'sk_live_not_to_be_seen';
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
