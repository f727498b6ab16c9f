import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCharge } from '../../../src/config/charge.ts';

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
    '',
    ' ',
    '%',
    '-5',
    '+5',
    '1,5%',
    '1.5 %',
    '1.50001%',
    '1.005',
    '.5',
    '5.',
    '1e3',
    '<=5',
    '>=5',
    '5>=1<=2',
    '1%2%',
    '1%100',
    '5+1%',
    '٥',
    '25\n',
    '10000000000000000',
    'Infinity',
  ])('is none: %j', (text) => {
    expect(parseCharge(text)).toBeUndefined();
  });
});
