import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { afterCommit, type Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type AuthenticatedOperator, newOperatorToken, root, tokenExpiry } from './authenticate-operator.ts';
import { mayDo, type Role } from './roles.ts';
import {
  disableUnvouched,
  insertOperator,
  isAuthentic,
  lockOperator,
  type Operator,
  type OperatorRow,
  selectOperators,
  updateOperator,
} from './store.ts';

export interface TokenDeps {
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  environment: string;
  operators: { tokenTtlD: number };
}

/**
 * Creates an operator. Audited, without the token.
 *
 * @returns the operator with their token, which is never shown again
 * @throws DomainError OPERATOR_NAME_TAKEN, in whatever case: an audit entry names one person
 */
export async function createOperator(
  { transact, keyring, clock, environment, operators, securityLog }: TokenDeps & { securityLog: SecurityLog },
  { actor, name, role, reason }: { actor: string; name: string; role: Role; reason?: string | undefined },
): Promise<Operator & { token: string }> {
  const now = clock.now();
  const token = newOperatorToken(environment);
  const tokenExpiresAt = tokenExpiry(now, operators.tokenTtlD);
  const created = await transact(async (tx) => {
    const values = { name, role, tokenDigest: sha256(token), tokenExpiresAt, createdAt: now, updatedAt: now };
    const stored = name.toLowerCase() === root.name ? undefined : await insertOperator(tx, keyring, values);
    if (stored === undefined) {
      throw new DomainError('OPERATOR_NAME_TAKEN', 'there is, or was, an operator of this name: choose another');
    }
    const after = { name, role, tokenExpiresAt: tokenExpiresAt.toISOString() };
    await recordChange(tx, { actor, action: 'operator.create', target: stored.id, after, reason });
    return { ...stored, token };
  });
  securityLog.record('operator_created', { operatorId: created.id });
  return created;
}

interface OperatorChange {
  by: AuthenticatedOperator;
  id: string;
  reason: string;
}

/**
 * Gives an operator another role, from their next call on. Audited.
 *
 * @throws DomainError OPERATOR_NOT_FOUND; OPERATOR_STATUS_CONFLICT for oneself, and for an operator with this role
 */
export async function changeOperatorRole(
  {
    transact,
    keyring,
    clock,
    securityLog,
  }: { transact: Transact; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { by, id, role, reason }: OperatorChange & { role: Role },
): Promise<Operator> {
  return transact(async (tx) => {
    const before = await lockAnother(tx, by, id);
    refuseUnlessAuthentic(keyring, before);
    if (before.role === role) throw conflict(`this operator’s role is ${role}`);
    const changed = await updateOperator(tx, keyring, id, { role }, clock.now());
    const change = { before: { role: before.role }, after: { role } };
    await recordChange(tx, { actor: by.actor, action: 'operator.role', target: id, ...change, reason });
    if (mayDo(role, before.role)) afterCommit(tx, () => securityLog.record('operator_role_raised', { operatorId: id }));
    return changed;
  });
}

/**
 * Disables an operator from their next call on, and their token for ever. Audited.
 *
 * @throws DomainError OPERATOR_NOT_FOUND; OPERATOR_STATUS_CONFLICT for oneself, and for a disabled operator
 */
export async function disableOperator(
  { transact, keyring, clock }: { transact: Transact; keyring: Keyring; clock: Clock },
  { by, id, reason }: OperatorChange,
): Promise<Operator> {
  return transact(async (tx) => {
    const before = await lockAnother(tx, by, id);
    if (before.status === 'DISABLED') throw conflict('this operator is disabled');
    const changed = isAuthentic(keyring, before)
      ? await updateOperator(tx, keyring, id, { status: 'DISABLED' }, clock.now())
      : await disableUnvouched(tx, id, clock.now());
    const change = { before: { status: before.status }, after: { status: 'DISABLED' } };
    await recordChange(tx, { actor: by.actor, action: 'operator.disable', target: id, ...change, reason });
    return changed;
  });
}

/**
 * Enables a disabled operator, with a new token. Audited.
 *
 * @returns the operator with their token, which is never shown again
 * @throws DomainError OPERATOR_NOT_FOUND; OPERATOR_STATUS_CONFLICT for an operator who is not disabled
 */
export async function enableOperator(
  deps: TokenDeps & { securityLog: SecurityLog },
  { by, id, reason }: OperatorChange,
): Promise<Operator & { token: string }> {
  return deps.transact(async (tx) => {
    const before = await lockAnother(tx, by, id);
    refuseUnlessAuthentic(deps.keyring, before);
    if (before.status === 'ACTIVE') throw conflict('this operator is not disabled');
    const enabled = await giveToken(tx, deps, id);
    const tokenExpiresAt = enabled.tokenExpiresAt.toISOString();
    const change = { before: { status: before.status }, after: { status: 'ACTIVE', tokenExpiresAt } };
    await recordChange(tx, { actor: by.actor, action: 'operator.enable', target: id, ...change, reason });
    afterCommit(tx, () => deps.securityLog.record('operator_enabled', { operatorId: id }));
    return enabled;
  });
}

/**
 * Gives an operator a new token; the previous one is refused from then on. Operators may do so for themselves, admins for others.
 * Audited.
 *
 * @returns the operator with their token, which is never shown again
 * @throws DomainError ROLE_REFUSED; OPERATOR_NOT_FOUND; OPERATOR_STATUS_CONFLICT for a disabled operator
 */
export async function rotateOperatorToken(
  deps: TokenDeps & { securityLog: SecurityLog },
  { by, id, reason }: { by: AuthenticatedOperator; id: string; reason?: string | undefined },
): Promise<Operator & { token: string }> {
  if (by.id !== id && !mayDo(by.role, 'admin')) {
    throw new DomainError('ROLE_REFUSED', `another’s token needs the role admin, and you are ${by.role}`);
  }
  return deps.transact(async (tx) => {
    const before = await lock(tx, id);
    refuseUnlessAuthentic(deps.keyring, before);
    if (before.status === 'DISABLED') throw conflict('this operator is disabled: enabling gives a new token');
    const rotated = await giveToken(tx, deps, id);
    const change = {
      before: { tokenExpiresAt: before.tokenExpiresAt.toISOString() },
      after: { tokenExpiresAt: rotated.tokenExpiresAt.toISOString() },
    };
    await recordChange(tx, { actor: by.actor, action: 'operator.token.rotate', target: id, ...change, reason });
    afterCommit(tx, () => deps.securityLog.record('operator_token_rotated', { operatorId: id }));
    return rotated;
  });
}

async function giveToken(tx: Tx, { keyring, clock, environment, operators }: TokenDeps, id: string) {
  const now = clock.now();
  const token = newOperatorToken(environment);
  const tokenExpiresAt = tokenExpiry(now, operators.tokenTtlD);
  const values = { status: 'ACTIVE', tokenDigest: sha256(token), tokenExpiresAt } as const;
  return { ...(await updateOperator(tx, keyring, id, values, now)), token };
}

async function lock(tx: Tx, id: string): Promise<OperatorRow> {
  const found = await lockOperator(tx, id);
  if (found === undefined) throw new DomainError('OPERATOR_NOT_FOUND', 'there is no such operator');
  return found;
}

/** Operators cannot disable themselves or change their own role. Root always remains, so the last admin may go. */
async function lockAnother(tx: Tx, by: AuthenticatedOperator, id: string): Promise<OperatorRow> {
  if (by.id === id) throw conflict('this is yourself: ask another admin');
  return lock(tx, id);
}

/** Refuses to change a row that the server did not write: our MAC would vouch for it. */
function refuseUnlessAuthentic(keyring: Keyring, row: OperatorRow): void {
  if (!isAuthentic(keyring, row)) throw conflict('this operator was altered outside the server: disable them');
}

const conflict = (message: string) => new DomainError('OPERATOR_STATUS_CONFLICT', message);

/** Operators, newest first, without root, who is not stored. `count` is of all that match. */
export async function listOperators(
  db: Executor,
  { status, ...page }: { status?: Operator['status'] | undefined } & PageRequest<string>,
): Promise<Listed<Operator, string>> {
  return selectOperators(db, status, page);
}
