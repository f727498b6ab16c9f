import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  type Account,
  assertPosted,
  balancesOf,
  type Currency,
  findApplicationAccount,
  findFloat,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

type Deps = { db: Database; transact: Transact; keyring: Keyring; poster: Poster };

type FloatMovement = Movement & { partnerId: string };

/**
 * Adds money that the operator has received to a partner's float. Audited.
 *
 * @returns the float's new balance, minor units; on a repeated reference, the balance of the first time
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

/** Takes money that the operator has paid out from a partner's float. As `fundFloat`; also throws INSUFFICIENT_FUNDS. */
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

type SettlementMovement = Movement & { applicationId: string };

/**
 * Adds money that the operator has received to an application's settlement wallet. Audited.
 *
 * @returns the wallet's new balance, minor units; on a repeated reference, the balance of the first time
 * @throws DomainError APPLICATION_NOT_FOUND, REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function fundApplication(deps: Deps, movement: SettlementMovement): Promise<Minor> {
  const wallet = await walletOf(deps, movement);
  const how = { type: 'APPLICATION_FUNDING', direction: 'in', action: 'application.fund' } as const;
  return moveThroughClearing(deps, movement, { ...wallet, ...how });
}

/** Takes money that was paid out from an application's settlement wallet. As `fundApplication`; also throws INSUFFICIENT_FUNDS. */
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

/** Money that the operator has received for an account, or has paid out of it. */
export interface Movement {
  actor: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references for the account's owner, for ever. */
  reference: string;
  reason?: string | undefined;
}

interface Moved {
  account: Account['id'];
  /** The partner or application whose account it is. */
  owner: string;
  partner?: string;
  type: 'FLOAT_FUNDING' | 'FLOAT_SETTLEMENT' | 'APPLICATION_FUNDING' | 'APPLICATION_SETTLEMENT';
  direction: 'in' | 'out';
  /** The action in the audit log. */
  action: string;
}

/**
 * Posts a movement between the operator's clearing account and an account. Audited.
 *
 * @returns the account's new balance, minor units; on a repeated reference, the balance of the first time
 * @throws DomainError REFERENCE_REUSED, BALANCE_EXCEEDED, INSUFFICIENT_FUNDS
 */
async function moveThroughClearing(
  { transact, poster }: { transact: Transact; poster: Poster },
  { actor, amount, currency, reference, reason }: Movement,
  { account, owner, partner, type, direction, action }: Moved,
): Promise<Minor> {
  const clearing = systemAccount('CLEARING', currency);
  const [source, destination] = direction === 'in' ? [clearing, account] : [account, clearing];
  const result = await transact(async (tx) => {
    const tried = await poster.tryPost(tx, {
      owner,
      namer: 'OPERATOR',
      reference,
      partner,
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
      const { opening, closing } = balancesOf(tried, account);
      const before = { currency, balance: String(opening) };
      const after = { currency, balance: String(closing), reference };
      await recordChange(tx, { actor, action, target: owner, before, after, reason });
    }
    return tried;
  });
  return balancesOf(assertPosted(result), account).closing;
}
