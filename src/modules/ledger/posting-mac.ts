/**
 * A message authentication code, by a key that the database does not have: whoever writes to the tables alone cannot make one,
 * and so a posting that no operation made is found (`check` of the books).
 */
export type Authenticate = (facts: string) => Buffer;

/** What the key of this code is derived for. */
export const POSTING_PURPOSE = 'ledger.posting';

/** What a MAC vouches for: what a posting says, or what the transaction says that it became. Amounts are minor units. */
export interface PostingFacts {
  owner: string;
  namer: string;
  reference: string;
  /** Hexadecimal. */
  requestHash: string;
  partner?: string | null | undefined;
  type: string;
  currency: string;
  source: number | null;
  destination: number | null;
  amount: bigint;
  /** A refund of the remainder learns its amount only when it is posted. */
  refundsRemainder?: true | undefined;
  fee?: bigint | undefined;
  commission?: bigint | undefined;
  stampDuty?: bigint | undefined;
  externalReference?: string | null | undefined;
  comment?: string | null | undefined;
  original?: number | null | undefined;
}

/** The text that is authenticated. */
export function factsOf(facts: PostingFacts): string {
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
