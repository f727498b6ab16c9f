import { supportText } from '#lib/brand.ts';
import { currencyNames, momentText, periodText } from './format.ts';
import type { Statement } from './statement.ts';

/** What stands on every page of a statement of money that is not real; undefined in live. */
export const testMark = ({ testing }: Statement): string | undefined =>
  testing && `TEST: made in ${testing === 'staging' ? 'staging' : 'a sandbox'}, where no money is real`;

/** Whose statement it is and how it is verified, as names and values: what a document says above its lines. */
export function factsOf(statement: Statement): (readonly [name: string, value: string])[] {
  const { brand, holder, paytag, address, nuban, partner, currency, issuedAt, code, verifyAt } = statement;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Test', testMark(statement)],
    ['Institution', [brand.name, brand.address, brand.licence].filter((part) => part !== undefined).join(' · ')],
    ['Questions', supportText(brand)],
    ['Account holder', holder],
    ['PayTag', paytag],
    ['Address', address],
    ['Account number', nuban],
    ['Held with', partner],
    ['Currency', currencyNames[currency]],
    ['Period', periodText(statement)],
    ['Issued', momentText(issuedAt)],
    ['Verification code', code],
    ['Verify at', verifyAt],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
