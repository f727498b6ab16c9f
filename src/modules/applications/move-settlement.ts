import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import {
  assertPosted,
  balancesOf,
  type Currency,
  findApplicationAccount,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

export interface ApplicationFunding {
  actor: string;
  applicationId: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references for this application, forever. */
  reference: string;
  reason?: string | undefined;
}

/**
 * Adds to an application's settlement wallet what the operator has received for it. Audited.
 *
 * @returns the wallet's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError APPLICATION_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundApplication(
  { transact, db, poster }: { db: Database; transact: Transact; poster: Poster },
  { actor, applicationId, amount, currency, reference, reason }: ApplicationFunding,
): Promise<Minor> {
  const wallet = await findApplicationAccount(db, applicationId, currency);
  if (wallet === undefined) throw new DomainError('APPLICATION_NOT_FOUND', 'there is no such application');
  const clearing = systemAccount('CLEARING', currency);

  const result = await transact(async (tx) => {
    const tried = await poster.tryPost(tx, {
      owner: applicationId,
      namer: 'OPERATOR',
      reference,
      type: 'APPLICATION_FUNDING',
      amount,
      currency,
      source: clearing,
      destination: wallet.id,
      legs: [
        { account: clearing, amount: negated(amount) },
        { account: wallet.id, amount },
      ],
      request: { type: 'APPLICATION_FUNDING', amount, currency },
    });
    if (!('refusal' in tried) && !tried.replayed) {
      const { opening, closing } = balancesOf(tried, wallet.id);
      await recordChange(tx, {
        actor,
        action: 'application.fund',
        target: applicationId,
        before: { currency, balance: String(opening) },
        after: { currency, balance: String(closing), reference },
        reason,
      });
    }
    return tried;
  });
  return balancesOf(assertPosted(result), wallet.id).closing;
}
