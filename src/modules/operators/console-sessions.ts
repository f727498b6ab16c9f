import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { root } from './authenticate-operator.ts';
import { SESSION } from './operator-mac.ts';
import type { Role } from './roles.ts';
import {
  type Begun,
  countOpenSessions,
  type ListedSession,
  lockOpenSession,
  selectOpenSessions,
} from './session-list-store.ts';
import { setSessionEnded } from './session-store.ts';

/** That an operator is signed in at the console. */
export interface ConsoleSession {
  id: string;
  /** `root` for the holder of OPERATOR_TOKEN. */
  operatorId: string;
  operatorName: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | undefined;
}

interface Known {
  clock: Clock;
  operatorToken: string | undefined;
}

const open = ({ clock, operatorToken }: Known, operatorId?: string) => ({
  now: clock.now(),
  rootDigest: operatorToken === undefined ? null : sha256(operatorToken),
  operatorId,
});

/** Who is signed in at the console now, newest first. `count` is of all. */
export async function listConsoleSessions(
  { db, ...known }: Known & { db: Executor },
  { operatorId, limit, offset, cursor }: { operatorId?: string | undefined } & PageRequest<Begun>,
): Promise<Listed<ConsoleSession, Begun>> {
  const which = open(known, operatorId);
  const place = { limit: limit === 0 ? 0 : limit + 1, offset: Math.min(offset, OFFSET_MAX), cursor };
  const [count, rows] = await Promise.all([countOpenSessions(db, which), selectOpenSessions(db, which, place)]);
  const { items, next } = pageOfRows(rows, limit, ({ createdAt, id }): Begun => ({ at: createdAt, id }));
  return { items: items.map(toView), next, count, countIsExact: true };
}

/**
 * Signs an operator out at the console. Their token is as good as before. Audited.
 *
 * @throws DomainError SESSION_NOT_FOUND, also for one that has ended
 */
export async function endConsoleSession(
  { transact, keyring, ...known }: Known & { transact: Transact; keyring: Keyring },
  { id, actor, reason }: { id: string; actor: string; reason: string },
): Promise<ConsoleSession> {
  return transact(async (tx) => {
    const which = open(known);
    const found = await lockOpenSession(tx, which, id);
    if (found === undefined) throw new DomainError('SESSION_NOT_FOUND', 'there is no such session, or it has ended');
    const over = { ...found, endedAt: which.now };
    await setSessionEnded(tx, { ...over, routingMac: routingMacOf(keyring, SESSION, over) });
    const view = toView(over);
    const change = { before: { session: id, status: 'LIVE' }, after: { session: id, status: 'ENDED' } };
    await recordChange(tx, { actor, action: 'operator.session.end', target: view.operatorId, ...change, reason });
    return view;
  });
}

const toView = ({ id, operatorId, name, role, createdAt, expiresAt, endedAt }: ListedSession): ConsoleSession => ({
  id,
  operatorId: operatorId ?? root.id,
  operatorName: name ?? root.name,
  role: role ?? root.role,
  createdAt,
  expiresAt,
  endedAt: endedAt ?? undefined,
});
