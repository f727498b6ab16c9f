import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import {
  assertPosted,
  balancesOf,
  type Currency,
  findFloat,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

type Deps = { db: Database; transact: Transact; poster: Poster };

export interface FloatMovement {
  actor: string;
  partnerId: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references for this partner, for ever. */
  reference: string;
  reason?: string | undefined;
}

/**
 * Adds to a partner's float what the operator has received for it.
 *
 * @returns the float's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError PARTNER_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundFloat(deps: Deps, movement: FloatMovement): Promise<Minor> {
  return moveFloat(deps, movement, 'FLOAT_FUNDING');
}

/** Takes from a partner's float what the operator has paid out to it. As `fundFloat`; also throws INSUFFICIENT_FUNDS. */
export async function settleFloat(deps: Deps, movement: FloatMovement): Promise<Minor> {
  return moveFloat(deps, movement, 'FLOAT_SETTLEMENT');
}

async function moveFloat(
  { transact, db, poster }: Deps,
  { actor, partnerId, amount, currency, reference, reason }: FloatMovement,
  type: 'FLOAT_FUNDING' | 'FLOAT_SETTLEMENT',
): Promise<Minor> {
  const float = await findFloat(db, partnerId, currency);
  if (float === undefined) throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  const clearing = systemAccount('CLEARING', currency);
  const isFunding = type === 'FLOAT_FUNDING';
  const [source, destination] = isFunding ? [clearing, float.id] : [float.id, clearing];

  const result = await transact(async (tx) => {
    const tried = await poster.tryPost(tx, {
      owner: partnerId,
      namer: 'OPERATOR',
      reference,
      partner: partnerId,
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
      const { opening, closing } = balancesOf(tried, float.id);
      await recordChange(tx, {
        actor,
        action: isFunding ? 'float.fund' : 'float.settle',
        target: partnerId,
        before: { currency, balance: String(opening) },
        after: { currency, balance: String(closing), reference },
        reason,
      });
    }
    return tried;
  });
  return balancesOf(assertPosted(result), float.id).closing;
}
