import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asMinor, systemAccount } from '#modules/ledger';
import { parseCharge } from '../../../src/config/charge.ts';
import { transferPosting } from '../../../src/modules/wallets/transfer-posting.ts';

const request = { partnerId: 'p', customerId: 'c', paytag: 'ada', reference: 'r' };
const parties = { sender: 1001, receiver: 1002, senderTier: 2 } as const;
const dailyLimits = { 1: 1n, 2: 2n, 3: 3n };

const chargeOf = (text: string) => {
  const charge = parseCharge(text);
  if (charge === undefined) throw new Error(`${text} is no charge`);
  return charge;
};
const postingOf = (amount: bigint, fee: string, stampDuty: string) =>
  transferPosting({ ...request, amount: asMinor(amount) }, parties, {
    dailyLimits,
    fees: { transfer: chargeOf(fee), stampDuty: chargeOf(stampDuty) },
  });
const naira = fc.bigInt(0n, 5_000n).map((kobo) => `${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`);

it('legs sum to zero, each account once and none of zero: the fee is the sender’s, stamp duty the receiver’s', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), naira, naira, (amount, fee, stampDuty) => {
      const posting = postingOf(amount, `1.5%+${fee}`, stampDuty);
      const accounts = posting.legs.map(({ account }) => account);
      expect(posting.legs.reduce((sum, leg) => sum + leg.amount, 0n)).toBe(0n);
      expect(new Set(accounts).size).toBe(accounts.length);
      expect(posting.legs.filter((leg) => leg.amount === 0n)).toEqual([]);

      const legOf = (id: number) => posting.legs.find(({ account }) => account === id)?.amount ?? 0n;
      expect(legOf(parties.sender)).toBe(-amount - legOf(systemAccount('FEE', 'NGN')));
      expect(legOf(parties.receiver)).toBe(amount - legOf(systemAccount('STAMP_DUTY', 'NGN')));
      expect(posting.predecidedRefusal === undefined).toBe(legOf(parties.receiver) > 0n);
    }),
  );
});

it('an amount of which the charges leave nothing is refused', () => {
  expect(postingOf(5_000n, '0', '50').predecidedRefusal).toBe('AMOUNT_TOO_SMALL');
  expect(postingOf(5_001n, '0', '50').predecidedRefusal).toBeUndefined();
});

it('our reference is always the same for the same reference of the same customer, and no other', () => {
  const references = [
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'x'],
    ['a', 'x'],
  ].map(([customerId = '', reference = '']) => {
    const fees = { transfer: chargeOf('0'), stampDuty: chargeOf('0') };
    const asked = { ...request, customerId, reference, amount: asMinor(1n) };
    return transferPosting(asked, parties, { dailyLimits, fees }).reference;
  });
  expect(new Set(references).size).toBe(3);
  expect(references[3]).toBe(references[0]);
});
