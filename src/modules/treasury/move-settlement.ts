import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findApplicationAccount, type Minor, type Poster } from '#modules/ledger';
import { type Movement, moveThroughClearing } from './move-through-clearing.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; poster: Poster };
type SettlementMovement = Movement & { applicationId: string };

/**
 * Adds to an application's settlement wallet what the operator has received for it. Audited.
 *
 * @returns the wallet's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError APPLICATION_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundApplication(deps: Deps, movement: SettlementMovement): Promise<Minor> {
  const wallet = await walletOf(deps, movement);
  const how = { type: 'APPLICATION_FUNDING', direction: 'in', action: 'application.fund' } as const;
  return moveThroughClearing(deps, movement, { ...wallet, ...how });
}

/** Takes from an application's settlement wallet what was paid out to it. As `fundApplication`; also throws INSUFFICIENT_FUNDS. */
export async function settleApplication(deps: Deps, movement: SettlementMovement): Promise<Minor> {
  const wallet = await walletOf(deps, movement);
  const how = { type: 'APPLICATION_SETTLEMENT', direction: 'out', action: 'application.settle' } as const;
  return moveThroughClearing(deps, movement, { ...wallet, ...how });
}

async function walletOf({ db, keyring }: Deps, { applicationId, currency }: SettlementMovement) {
  const wallet = await findApplicationAccount(db, keyring, applicationId, currency);
  if (wallet === undefined) throw new DomainError('APPLICATION_NOT_FOUND', 'there is no such application');
  return { account: wallet.id, owner: applicationId };
}
