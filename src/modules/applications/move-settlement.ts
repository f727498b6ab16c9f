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

export interface ApplicationMovement {
  actor: string;
  applicationId: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references for this application, forever. */
  reference: string;
  reason?: string | undefined;
}

type Deps = { db: Database; transact: Transact; poster: Poster };

/**
 * Adds to an application's settlement wallet what the operator has received for it. Audited.
 *
 * @returns the wallet's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError APPLICATION_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundApplication(deps: Deps, movement: ApplicationMovement): Promise<Minor> {
  return moveSettlement(deps, movement, 'APPLICATION_FUNDING');
}

/** Takes from an application's settlement wallet what was paid out to it. As `fundApplication`; also INSUFFICIENT_FUNDS. */
export async function settleApplication(deps: Deps, movement: ApplicationMovement): Promise<Minor> {
  return moveSettlement(deps, movement, 'APPLICATION_SETTLEMENT');
}

async function moveSettlement(
  { transact, db, poster }: Deps,
  { actor, applicationId, amount, currency, reference, reason }: ApplicationMovement,
  type: 'APPLICATION_FUNDING' | 'APPLICATION_SETTLEMENT',
): Promise<Minor> {
  const wallet = await findApplicationAccount(db, applicationId, currency);
  if (wallet === undefined) throw new DomainError('APPLICATION_NOT_FOUND', 'there is no such application');
  const clearing = systemAccount('CLEARING', currency);
  const isFunding = type === 'APPLICATION_FUNDING';
  const [source, destination] = isFunding ? [clearing, wallet.id] : [wallet.id, clearing];

  const result = await transact(async (tx) => {
    const tried = await poster.tryPost(tx, {
      owner: applicationId,
      namer: 'OPERATOR',
      reference,
      type,
      amount,
      currency,
      source,
      destination,
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      request: { type, amount, currency },
    });
    if (!('refusal' in tried) && !tried.replayed) {
      const { opening, closing } = balancesOf(tried, wallet.id);
      await recordChange(tx, {
        actor,
        action: isFunding ? 'application.fund' : 'application.settle',
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
