import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { root } from './authenticate-operator.ts';
import { newOperatorToken, tokenExpiry } from './operator-token.ts';
import type { Role } from './roles.ts';
import { insertOperator, type Operator } from './store.ts';

export interface TokenDeps {
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  environment: string;
  operators: { tokenTtlD: number };
}

/**
 * Makes an operator. Audited, without the token.
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
  const made = await transact(async (tx) => {
    const values = { name, role, tokenDigest: sha256(token), tokenExpiresAt, createdAt: now, updatedAt: now };
    const created = name.toLowerCase() === root.name ? undefined : await insertOperator(tx, keyring, values);
    if (created === undefined) {
      throw new DomainError('OPERATOR_NAME_TAKEN', 'there is, or was, an operator of this name: choose another');
    }
    const after = { name, role, tokenExpiresAt: tokenExpiresAt.toISOString() };
    await recordChange(tx, { actor, action: 'operator.create', target: created.id, after, reason });
    return { ...created, token };
  });
  securityLog.record('operator_created', { operatorId: made.id });
  return made;
}
