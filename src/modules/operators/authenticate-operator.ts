import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomToken } from '#lib/random.ts';
import type { Throttles } from '#modules/limits';
import type { Role } from './roles.ts';
import { isAuthentic, selectByToken, setLastUsed, type TokenRow } from './store.ts';

/** The last use of a token is stored at most once in this time. */
const LAST_USED_PRECISION_MS = 60_000;

/** The calling operator. */
export interface AuthenticatedOperator {
  /** `root` for the holder of OPERATOR_TOKEN. */
  id: string;
  name: string;
  role: Role;
  /** Their name in audit entries: `operator:{id}` and the name. */
  actor: string;
  /** When their token expires. Undefined for root, whose token is in the configuration. */
  tokenExpiresAt?: Date;
}

/** The holder of OPERATOR_TOKEN, who is not stored and cannot be disabled: only a new token and a restart end their access. */
export const root: AuthenticatedOperator = { id: 'root', name: 'root', role: 'admin', actor: 'operator:root' };

/** The name of an operator in audit entries. */
const actorOf = ({ id, name }: { id: string; name: string }): string => `operator:${id} ${name}`;

export interface OperatorAuthentication {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  environment: string;
  operatorToken: string | undefined;
  throttles: Throttles;
  limits: { wrongOperatorTokensPerM: number };
}

/**
 * The operator that a bearer token belongs to, read on every call: after a rotation, or when the operator is disabled, every
 * process refuses the token from the next call on. A row that the server did not write is refused too.
 *
 * Wrong tokens count to their address, right ones never: an attacker behind the same proxy cannot lock an operator out, and nobody
 * guesses 256 random bits.
 *
 * @param address what to count under
 * @throws DomainError INVALID_CREDENTIALS; KEY_ENVIRONMENT_MISMATCH for a token of another environment;
 *   TOO_MANY_REQUESTS for a wrong token after too many of them
 */
export async function authenticateOperator(
  deps: OperatorAuthentication,
  { token, address }: { token: string | undefined; address: string },
): Promise<AuthenticatedOperator> {
  if (token === undefined) throw new DomainError('INVALID_CREDENTIALS', 'send an operator’s token as a bearer token');
  const found = await ownerOf(deps, token);
  if (!(found instanceof DomainError)) return found;
  const points = deps.limits.wrongOperatorTokensPerM;
  const limit = { name: 'wrong operator tokens', event: 'operator_token_refused', points, windowS: 60 } as const;
  await deps.throttles.take(limit, address);
  throw found;
}

async function ownerOf(deps: OperatorAuthentication, token: string): Promise<AuthenticatedOperator | DomainError> {
  const { db, environment, operatorToken } = deps;
  const digest = sha256(token);
  if (operatorToken !== undefined && equalDigests(digest, sha256(operatorToken))) return root;
  const ofEnvironment = environmentOf(token);
  if (ofEnvironment === undefined) return notValid();
  if (ofEnvironment !== environment) {
    const message = `this operator token is of the ${ofEnvironment} environment, and this is ${environment}`;
    return new DomainError('KEY_ENVIRONMENT_MISMATCH', message);
  }
  const found = await selectByToken(db, digest);
  if (found === undefined || !equalDigests(found.tokenDigest, digest)) return notValid();
  return operatorInRow(deps, found);
}

/** The operator of a stored token, unless the row or the token is no longer valid; stores the last use. */
export async function operatorInRow(
  { db, keyring, clock }: Pick<OperatorAuthentication, 'db' | 'keyring' | 'clock'>,
  row: TokenRow,
): Promise<AuthenticatedOperator | DomainError> {
  if (row.status !== 'ACTIVE' || !isAuthentic(keyring, row)) return notValid();
  const now = clock.now();
  if (row.tokenExpiresAt <= now) {
    return new DomainError('INVALID_CREDENTIALS', 'this token has expired: ask an admin to rotate it');
  }
  if (now.getTime() - (row.lastUsedAt?.getTime() ?? 0) >= LAST_USED_PRECISION_MS) {
    await setLastUsed(db, row.id, now);
  }
  const { id, name, role, tokenExpiresAt } = row;
  return { id, name, role, actor: actorOf(row), tokenExpiresAt };
}

const notValid = () => new DomainError('INVALID_CREDENTIALS', 'this operator token is not valid');

const DAY_MS = 24 * 60 * 60 * 1000;

const TOKEN = /^op_(sandbox|staging|live)_[\w-]{43}$/;

/** 256 random bits after the prefix of the environment. */
export const newOperatorToken = (environment: string): string => `op_${environment}_${randomToken()}`;

/** The environment in a token's prefix; undefined if it is no operator's token. */
const environmentOf = (token: string): string | undefined => TOKEN.exec(token)?.[1];

/** When a new token expires. */
export const tokenExpiry = (now: Date, tokenTtlD: number): Date => new Date(now.getTime() + tokenTtlD * DAY_MS);
