import type { Pool } from 'pg';
import { createKeyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import {
  asMinor,
  assertPosted,
  createPoster,
  POSTING_PURPOSE,
  type Posted,
  type Posting,
  type PostingResult,
} from '#modules/ledger';
import { tryPost as tryPostBy } from '../../src/modules/ledger/poster.ts';
import { toJson } from '../../src/modules/ledger/posting.ts';

export const keyring = createKeyring(Buffer.alloc(32, 7));
const authenticate = (facts: string): Buffer => keyring.vouchFor(POSTING_PURPOSE, facts);

/** A posting as the JSON that `ledger.post` reads. */
export const postingJson = (posting: Posting): string => toJson(posting, authenticate);

/** A poster of tests that have the ledger alone. */
export const newPoster = (pool: Pool, posted: () => void = () => {}) => createPoster(pool, authenticate, posted);

/** Posts as `Poster.tryPost` does, at a moment of the test's choice. */
export const tryPost = (db: Executor, posting: Posting, now?: Date): Promise<PostingResult> =>
  tryPostBy(db, authenticate, posting, now);

/** The same, for tests in which it is not refused. @throws DomainError with the code of the refusal */
export const post = async (db: Executor, posting: Posting, now?: Date): Promise<Posted> =>
  assertPosted(await tryPost(db, posting, now));

/** For tests of the ledger alone, in which nobody is told of what is settled but by the ledger. */
export const untold = async (): Promise<void> => {};

/** A posting of `amount` minor units from one account to another; a negative amount goes the other way. */
export function postingBetween(
  from: number,
  to: number,
  amount: bigint,
  given: Pick<Posting, 'owner' | 'reference'> & Partial<Posting>,
): Posting {
  const [source, destination] = amount > 0n ? [from, to] : [to, from];
  return {
    namer: 'PARTNER',
    type: amount > 0n ? 'PARTNER_WALLET_CREDIT' : 'PARTNER_WALLET_DEBIT',
    amount: asMinor(amount > 0n ? amount : -amount),
    currency: 'NGN',
    source,
    destination,
    legs: [
      { account: from, amount: asMinor(-amount) },
      { account: to, amount: asMinor(amount) },
    ],
    ...given,
  };
}
