import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMinor, type Charge, chargeOn, systemAccount } from '#modules/ledger';
import { parseCharge } from '../../src/config/formats.ts';
import { chargesOn } from '../../src/modules/collections/receive-money.ts';
import { transferPosting } from '../../src/modules/wallets/transfer.ts';
import { listed } from '../support/cases.ts';

const plain = { rateMillionths: 0n, flat: 0n, cap: undefined, from: 0n };

/** A decimal with at most so many places, and the whole number that it is of its last possible place. */
const decimal = (max: bigint, places: number) =>
  fc.tuple(fc.bigInt(0n, max * 10n ** BigInt(places)), fc.nat(places)).map(([scaled, shown]) => {
    const cut = 10n ** BigInt(places - shown);
    const value = (scaled / cut) * cut;
    const text = String(value).padStart(places + 1, '0');
    const fraction = text.slice(-places).slice(0, shown);
    return { text: text.slice(0, -places) + (fraction && `.${fraction}`), value };
  });
const naira = decimal(9_999_999_999_999n, 2);
const percent = decimal(999n, 4);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe('a charge in configuration', () => {
  it('means what it says: a share of the amount, a flat part, a highest charge, and where it begins', () => {
    const parts = fc.tuple(maybe(percent), maybe(naira), maybe(naira), maybe(naira));
    fc.assert(
      fc.property(parts, ([rate, flat, cap, from]) => {
        const share = rate === undefined ? '' : `${rate.text}%`;
        const fixed = flat === undefined ? '' : `${rate === undefined ? '' : '+'}${flat.text}`;
        const text = `${share}${fixed}${cap ? `<=${cap.text}` : ''}${from ? `>=${from.text}` : ''}`;
        const meant = {
          rateMillionths: rate?.value ?? 0n,
          flat: flat?.value ?? 0n,
          cap: cap?.value,
          from: from?.value ?? 0n,
        };
        expect(parseCharge(text)).toEqual(rate === undefined && flat === undefined ? undefined : meant);
      }),
    );
  });

  it.each([
    ['0', plain],
    ['25', { ...plain, flat: 2_500n }],
    ['0.05', { ...plain, flat: 5n }],
    ['1.5%', { ...plain, rateMillionths: 15_000n }],
    ['0.0001%', { ...plain, rateMillionths: 1n }],
    ['1.5%+100<=2000', { ...plain, rateMillionths: 15_000n, flat: 10_000n, cap: 200_000n }],
    ['50>=10000', { ...plain, flat: 5_000n, from: 1_000_000n }],
    ['1.5%+100<=2000>=2500.5', { rateMillionths: 15_000n, flat: 10_000n, cap: 200_000n, from: 250_050n }],
  ])('%s', (text, charge) => {
    expect(parseCharge(text)).toEqual(charge);
  });

  it.each([
    ...listed`
    % | -5 | +5 | 1,5% | 1.5 % | 1.50001% | 1.005 | .5 | 5. | 1e3 | <=5 | >=5 | 5>=1<=2 | 1%2% | 1%100 | 5+1%
    ٥ | 10000000000000000 | Infinity
  `,
    '',
    ' ',
    '25\n',
  ])('is none: %j', (text) => {
    expect(parseCharge(text)).toBeUndefined();
  });
});

/** Beyond what the wire allows, so that nothing here is saved by being small. */
const amounts = fc.bigInt(1n, 10n ** 24n);
const money = fc.bigInt(0n, 10n ** 12n);
const charges: fc.Arbitrary<Charge> = fc.record({
  rateMillionths: fc.bigInt(0n, 10_000_000n),
  flat: money,
  cap: fc.option(money, { nil: undefined }),
  from: fc.oneof(fc.constant(0n), money),
});

const of = (amount: bigint, charge: Partial<Charge>): bigint => chargeOn(asMinor(amount), { ...plain, ...charge });

describe('a charge', () => {
  it('is the whole number nearest to the exact share, the upper one of two that are as near', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt(0n, 10_000_000n), (amount, rateMillionths) => {
        const exact = amount * rateMillionths;
        const off = exact - of(amount, { rateMillionths }) * 1_000_000n;
        expect(-500_000n <= off && off < 500_000n).toBe(true);
      }),
    );
  });

  it('is the share and the flat part, nothing below where it begins, and never above its cap', () => {
    fc.assert(
      fc.property(amounts, charges, (amount, charge) => {
        const { cap, flat, from, rateMillionths } = charge;
        const uncapped = of(amount, { rateMillionths }) + flat;
        const capped = cap !== undefined && uncapped > cap ? cap : uncapped;
        expect(of(amount, charge)).toBe(amount < from ? 0n : capped);
      }),
    );
  });

  it('never falls when the amount rises', () => {
    fc.assert(
      fc.property(amounts, amounts, charges, (one, other, charge) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(of(less, charge) <= of(more, charge)).toBe(true);
      }),
    );
  });

  it.each([
    ['0.5 kobo goes up', 100n, { rateMillionths: 5_000n }, 1n],
    ['a hair less than 0.5 goes down', 99n, { rateMillionths: 5_000n }, 0n],
    ['1.5 goes up to 2', 300n, { rateMillionths: 5_000n }, 2n],
    ['2.5 goes up to 3, not to the even 2', 500n, { rateMillionths: 5_000n }, 3n],
    ['1.005 of a naira, which a double holds as less', 6_700n, { rateMillionths: 15_000n }, 101n],
    ['the largest amount of the wire, exactly', 999_999_999_999_999n, { rateMillionths: 15_000n }, 15_000_000_000_000n],
    ['on the amount where it begins', 1_000_000n, { flat: 5_000n, from: 1_000_000n }, 5_000n],
    ['a kobo before it begins', 999_999n, { flat: 5_000n, from: 1_000_000n }, 0n],
    ['at its cap', 20_000_000n, { rateMillionths: 15_000n, cap: 200_000n }, 200_000n],
    ['100 %', 12_345n, { rateMillionths: 1_000_000n }, 12_345n],
  ])('%s', (_what, amount, charge, expected) => {
    expect(of(amount, charge)).toBe(expected);
  });
});

const charge = (text: string): Charge => {
  const parsed = parseCharge(text);
  if (parsed === undefined) throw new Error(`${text} is no charge`);
  return parsed;
};

it('takes fee, commission and stamp duty from the amount, each by itself, half up', () => {
  const given = { fee: charge('1.5%'), commission: charge('0.5%+1'), stampDuty: charge('50>=10000') };
  expect(chargesOn(asMinor(100_001n), given)).toEqual({ fee: 1_500n, commission: 600n, stampDuty: 0n, net: 97_901n });
  expect(chargesOn(asMinor(1_000_000n), given)).toEqual({
    fee: 15_000n,
    commission: 5_100n,
    stampDuty: 5_000n,
    net: 974_900n,
  });
});

it('takes nothing where nothing is configured', () => {
  expect(chargesOn(asMinor(1n), {})).toEqual({ fee: 0n, commission: 0n, stampDuty: 0n, net: 1n });
});

it('never takes more than there is, the fee first', () => {
  const given = { fee: charge('10'), commission: charge('5') };
  expect(chargesOn(asMinor(1_200n), given)).toMatchObject({ fee: 1_000n, commission: 200n, net: 0n });
  expect(chargesOn(asMinor(1n), given)).toMatchObject({ fee: 1n, commission: 0n, net: 0n });
});

it('charges and the remainder always add up to the amount', () => {
  const anyCharge = fc.record({
    rateMillionths: fc.bigInt({ min: 0n, max: 1_000_000n }),
    flat: fc.bigInt({ min: 0n, max: 100_000n }),
    cap: fc.option(fc.bigInt({ min: 0n, max: 100_000n }), { nil: undefined }),
    from: fc.bigInt({ min: 0n, max: 1_000_000n }),
  });
  const paid = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(paid, anyCharge, anyCharge, anyCharge, (amount, fee, commission, stampDuty) => {
      const taken = chargesOn(asMinor(amount), { fee, commission, stampDuty });
      expect(Object.values(taken).reduce((sum: bigint, one: bigint) => sum + one, 0n)).toBe(amount);
      expect(Object.values(taken).every((one) => one >= 0n)).toBe(true);
    }),
  );
});

const request = { partnerId: 'p', customerId: 'c', paytag: 'ada', reference: 'r' };
const parties = { sender: 1001, receiver: 1002, senderTier: 2 } as const;
const dailyLimits = { 1: 1n, 2: 2n, 3: 3n };
const postingOf = (amount: bigint, fee: string, stampDuty: string) =>
  transferPosting({ ...request, amount: asMinor(amount) }, parties, {
    dailyLimits,
    fees: { transfer: charge(fee), stampDuty: charge(stampDuty) },
  });
const smallNaira = fc.bigInt(0n, 5_000n).map((kobo) => `${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`);

it('legs sum to zero, each account once and none of zero: the fee is the sender’s, stamp duty the receiver’s', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), smallNaira, smallNaira, (amount, fee, stampDuty) => {
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
    const fees = { transfer: charge('0'), stampDuty: charge('0') };
    const asked = { ...request, customerId, reference, amount: asMinor(1n) };
    return transferPosting(asked, parties, { dailyLimits, fees }).reference;
  });
  expect(new Set(references).size).toBe(3);
  expect(references[3]).toBe(references[0]);
});
