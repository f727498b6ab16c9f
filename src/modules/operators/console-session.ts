import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { isAuthentic, routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomToken } from '#lib/random.ts';
import {
  type AuthenticatedOperator,
  authenticateOperator,
  type OperatorAuthentication,
  operatorInRow,
  root,
} from './authenticate-operator.ts';
import { SESSION as FACTS } from './operator-mac.ts';
import { insertSession, type SessionOfOperator, selectSession, setSessionEnded } from './session-store.ts';

const SESSION_MS = 8 * 60 * 60 * 1000;
const SESSION = /^[\w-]{43}$/;

/**
 * Signs an operator in at the console, for eight hours. Wrong tokens are counted as those of the API are.
 *
 * @returns what the browser keeps: 256 random bits, of which the digest alone is stored
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
 * Whose a session at the console is. It is read on every call, and so is what it hangs on: it ends after eight hours, by signing
 * out, and with the token that it began with, by whatever ends that.
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

/** Ends a session; one that has ended stays so. */
export async function signOut(deps: OperatorAuthentication, session: string): Promise<void> {
  const { operator: _operator, ...row } = await openSession(deps, session);
  const over = { ...row, endedAt: deps.clock.now() };
  await setSessionEnded(deps.db, { ...over, routingMac: routingMacOf(deps.keyring, FACTS, over) });
}

async function openSession(
  { db, keyring, clock }: OperatorAuthentication,
  session: string,
): Promise<SessionOfOperator> {
  const found = SESSION.test(session) ? await selectSession(db, sha256(session)) : undefined;
  const isOpen = found !== undefined && found.endedAt === null && found.expiresAt > clock.now();
  // Who writes to the tables alone signs nobody in, and opens nothing that has ended.
  if (!isOpen || !isAuthentic(keyring, FACTS, found)) throw ended();
  return found;
}

const ended = () => new DomainError('INVALID_CREDENTIALS', 'your session has ended: sign in again');
