import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { isAuthentic, routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken } from '#lib/random.ts';
import { recordChange } from '#modules/audit';
import {
  type AuthenticatedOperator,
  authenticateOperator,
  type OperatorAuthentication,
  operatorInRow,
  root,
} from './authenticate-operator.ts';
import type { Role } from './roles.ts';
import {
  type Begun,
  countOpenSessions,
  SESSION as FACTS,
  insertSession,
  type ListedSession,
  lockOpenSession,
  SESSION,
  type SessionOfOperator,
  selectOpenSessions,
  selectSession,
  setSessionEnded,
} from './store.ts';

const SESSION_MS = 8 * 60 * 60 * 1000;

const SESSION_TOKEN = /^[\w-]{43}$/;

/**
 * Signs an operator in at the console for eight hours. Wrong tokens count like those of the API.
 *
 * @returns the session token for the browser: 256 random bits; only their digest is stored
 * @throws as `authenticateOperator`
 */
export async function signIn(
  deps: OperatorAuthentication,
  given: { token: string; address: string },
): Promise<{ session: string; expiresAt: Date; operator: AuthenticatedOperator }> {
  const { db, keyring, clock } = deps;
  const operator = await authenticateOperator(deps, given);
  const session = randomToken();
  const createdAt = clock.now();
  const row = {
    digest: sha256(session),
    operatorId: operator.id === root.id ? null : operator.id,
    tokenDigest: sha256(given.token),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SESSION_MS),
    endedAt: null,
  };
  await insertSession(db, { ...row, routingMac: routingMacOf(keyring, FACTS, row) });
  return { session, expiresAt: row.expiresAt, operator };
}

/**
 * The operator of a console session, read on every call with their token: the session ends after eight hours, by signing out, or with
 * the token of the sign-in.
 *
 * @throws DomainError INVALID_CREDENTIALS
 */
export async function authenticateSession(
  deps: OperatorAuthentication,
  session: string,
): Promise<AuthenticatedOperator> {
  const found = await openSession(deps, session);
  const { tokenDigest, operator } = found;
  if (operator === undefined) {
    const { operatorToken } = deps;
    if (operatorToken !== undefined && equalDigests(tokenDigest, sha256(operatorToken))) return root;
    throw ended();
  }
  if (!equalDigests(tokenDigest, operator.tokenDigest)) throw ended();
  const known = await operatorInRow(deps, operator);
  if (known instanceof DomainError) throw ended();
  return known;
}

/** Ends a session, if it has not ended. */
export async function signOut(deps: OperatorAuthentication, session: string): Promise<void> {
  const { operator: _operator, ...row } = await openSession(deps, session);
  const over = { ...row, endedAt: deps.clock.now() };
  await setSessionEnded(deps.db, { ...over, routingMac: routingMacOf(deps.keyring, FACTS, over) });
}

async function openSession(
  { db, keyring, clock }: OperatorAuthentication,
  session: string,
): Promise<SessionOfOperator> {
  const found = SESSION_TOKEN.test(session) ? await selectSession(db, sha256(session)) : undefined;
  const isOpen = found !== undefined && found.endedAt === null && found.expiresAt > clock.now();
  // A write to the tables without the key neither creates a session nor reopens one.
  if (!isOpen || !isAuthentic(keyring, FACTS, found)) throw ended();
  return found;
}

const ended = () => new DomainError('INVALID_CREDENTIALS', 'your session has ended: sign in again');

/** A session of an operator at the console. */
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

/** Open console sessions, newest first. `count` is of all. */
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
 * Ends an operator's console session. Their token stays valid. Audited.
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
