import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { findHandles, lockCustomer } from '#modules/customers';
import { type DailyLimits, getWalletForOperator, type OperatorWalletView, revokeWallet } from '#modules/wallets';
import {
  endSessionsOf,
  lockSession,
  revokeSession,
  type SessionFilter,
  type SessionParts,
  type SessionStatus,
  selectSessionList,
} from './store.ts';

/** A customer's session at a partner. */
export interface SessionForOperator {
  id: string;
  customerId: string;
  /** The customer's PayTag. */
  paytag: string | undefined;
  partnerId: string;
  partnerName: string;
  status: SessionStatus;
  issuedAt: Date;
  expiresAt: Date;
  revokedAt: Date | undefined;
}

/** Sessions of customers, newest first, those that ended less than a day ago among them. Nothing of a token is kept. */
export async function listSessions(
  { db, clock }: { db: Executor; clock: Clock },
  { limit, offset, cursor, ...filter }: SessionFilter & PageRequest<string>,
): Promise<Listed<SessionForOperator, string>> {
  const now = clock.now();
  const { items, ...found } = await selectSessionList(db, filter, { limit, offset, cursor }, now);
  const handles = await findHandles(
    db,
    items.map(({ session }) => session.customerId),
  );
  return { ...found, items: items.map((one) => toView(one, handles, now)) };
}

interface End {
  actor: string;
  reason: string;
}

type Deps = { transact: Transact; clock: Clock };

/**
 * Ends one session: its token is refused from now on, by other processes within a second. Audited, of its customer.
 *
 * @throws DomainError SESSION_NOT_FOUND; SESSION_STATUS_CONFLICT for one that is live no more
 */
export async function endSession(
  { transact, clock }: Deps,
  { id, actor, reason }: End & { id: string },
): Promise<SessionForOperator> {
  return transact(async (tx) => {
    const now = clock.now();
    const found = await lockSession(tx, id);
    if (found === undefined) throw new DomainError('SESSION_NOT_FOUND', 'there is no such session');
    const handles = await findHandles(tx, [found.session.customerId]);
    const { status, customerId, partnerId } = toView(found, handles, now);
    if (status !== 'LIVE') throw new DomainError('SESSION_STATUS_CONFLICT', `the session is ${status}`);
    await revokeSession(tx, id, now);
    const change = { before: { session: id, status }, after: { session: id, status: 'REVOKED', partnerId } };
    await recordChange(tx, { actor, action: 'session.end', target: customerId, ...change, reason });
    return toView({ ...found, session: { ...found.session, revokedAt: now } }, handles, now);
  });
}

/**
 * Ends all sessions of a customer, at one partner or at all, and the codes that could still become one. Audited.
 *
 * @returns how many sessions ended
 * @throws DomainError CUSTOMER_NOT_FOUND
 */
export async function endCustomerSessions(
  { transact, clock }: Deps,
  { id, partnerId, actor, reason }: End & { id: string; partnerId?: string | undefined },
): Promise<{ ended: number }> {
  return transact(async (tx) => {
    await lockCustomer(tx, id);
    const ended = await endSessionsOf(tx, { customerId: id, partnerId }, clock.now());
    const after = { ended, ...(partnerId !== undefined && { partnerId }) };
    await recordChange(tx, { actor, action: 'customer.sessions.end', target: id, after, reason });
    return { ended };
  });
}

type Handles = ReadonlyMap<string, string>;

const toView = ({ session, partnerName }: SessionParts, handles: Handles, now: Date): SessionForOperator => ({
  id: session.id,
  customerId: session.customerId,
  paytag: handles.get(session.customerId),
  partnerId: session.partnerId,
  partnerName,
  status: session.revokedAt !== null ? 'REVOKED' : session.expiresAt > now ? 'LIVE' : 'EXPIRED',
  issuedAt: session.issuedAt,
  expiresAt: session.expiresAt,
  revokedAt: session.revokedAt ?? undefined,
});

/**
 * Revokes a wallet, and with it the tokens and codes of its customer at that partner.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_NOT_EMPTY
 */
export async function revokeWalletAndSessions(
  deps: {
    transact: Transact;
    keyring: Keyring;
    dailyLimits: DailyLimits;
    clock: Clock;
    afterSettling: Parameters<typeof revokeWallet>[0]['afterSettling'];
  },
  request: { actor: string; reference: string; reason: string },
): Promise<OperatorWalletView> {
  return deps.transact(async (tx) => {
    const now = deps.clock.now();
    const { partnerId, customerId } = await revokeWallet(deps, tx, request, now);
    if (customerId !== undefined) await endSessionsOf(tx, { partnerId, customerId }, now);
    return getWalletForOperator(deps, tx, request.reference);
  });
}
