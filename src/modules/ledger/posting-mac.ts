import type { Posting } from './posting.ts';

/**
 * A message authentication code, by a key that the database does not have: whoever writes to the tables alone cannot make one,
 * and so a posting that no operation made is found (`check` of the books).
 */
export type Authenticate = (facts: string) => Buffer;

/** What the key of this code is derived for. */
export const POSTING_PURPOSE = 'ledger.posting';

/** What a MAC vouches for: a posting, or the transaction that it became. `requestHash` is hexadecimal. */
type Facts = Pick<
  Posting,
  'owner' | 'namer' | 'reference' | 'type' | 'currency' | 'source' | 'destination' | 'amount' | 'refundsRemainder'
> &
  Partial<
    Pick<Posting, 'partner' | 'fee' | 'commission' | 'stampDuty' | 'externalReference' | 'comment' | 'original'>
  > & {
    requestHash: string;
  };

/** The text that is authenticated. A refund of the remainder learns its amount only when it is posted. */
export function factsOf(facts: Facts): string {
  const { owner, namer, reference, requestHash, partner = null, type, currency, source, destination } = facts;
  const {
    fee = 0n,
    commission = 0n,
    stampDuty = 0n,
    externalReference = null,
    comment = null,
    original = null,
  } = facts;
  const amount = facts.refundsRemainder === true ? null : String(facts.amount);
  const names = [owner, namer, reference, requestHash, partner, type, currency];
  const money = [source, destination, amount, String(fee), String(commission), String(stampDuty)];
  return JSON.stringify([...names, ...money, externalReference, comment, original]);
}
