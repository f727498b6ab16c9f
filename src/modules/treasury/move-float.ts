import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findFloat, type Minor, type Poster } from '#modules/ledger';
import { type Movement, moveThroughClearing } from './move-through-clearing.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; poster: Poster };
type FloatMovement = Movement & { partnerId: string };

/**
 * Adds to a partner's float what the operator has received for it. Audited.
 *
 * @returns the float's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError PARTNER_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundFloat(deps: Deps, movement: FloatMovement): Promise<Minor> {
  const float = await floatOf(deps, movement);
  return moveThroughClearing(deps, movement, {
    ...float,
    type: 'FLOAT_FUNDING',
    direction: 'in',
    action: 'float.fund',
  });
}

/** Takes from a partner's float what the operator has paid out to it. As `fundFloat`; also throws INSUFFICIENT_FUNDS. */
export async function settleFloat(deps: Deps, movement: FloatMovement): Promise<Minor> {
  const float = await floatOf(deps, movement);
  const how = { type: 'FLOAT_SETTLEMENT', direction: 'out', action: 'float.settle' } as const;
  return moveThroughClearing(deps, movement, { ...float, ...how });
}

async function floatOf({ db, keyring }: Deps, { partnerId, currency }: FloatMovement) {
  const float = await findFloat(db, keyring, partnerId, currency);
  if (float === undefined) throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  return { account: float.id, owner: partnerId, partner: partnerId };
}
