import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import { concerning } from '#lib/security-events.ts';
import { expectKeySet } from '#modules/keys';
import { epochSeconds, signCustomerToken } from './customer-token.ts';
import { type CodeKey, insertSession, type NewSession, revokeSession, selectAuthCode, useAuthCode } from './store.ts';

type Deps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  tokens: { customerTtlS: number };
  publicUrl: string;
};

/** The same exchange sent twice at the same moment is no replay. */
const REPLAY_GRACE_MS = 5000;

/**
 * Exchanges an authorization code for the customer's token, once. A code that comes again later was stolen, or its answer
 * was: the token it gave is revoked (RFC 6749 4.1.2).
 *
 * @param request.codeVerifier what the login's code challenge is the S256 of; none where there was no challenge, which keeps
 *   a stolen code from being exchanged as if there were none (RFC 9700 4.8.2)
 * @returns a JWT, as `signCustomerToken` says
 * @throws DomainError INVALID_AUTH_CODE, the same for an unknown, used, expired or another partner's code and for a
 *   verifier that is not its own, which leaves the code as it is; AlteredRecord
 */
export async function exchangeAuthCode(
  deps: Deps,
  { partnerId, code, codeVerifier }: { partnerId: string; code: string; codeVerifier?: string | undefined },
): Promise<string> {
  const key = { digest: sha256(code), partnerId };
  expectKeySet(deps); // while the code is looked at
  const session = await deps.transact((tx) => openSession(tx, deps, key, codeVerifier));
  if (session === undefined) {
    throw (await revokeOnReplay(deps, key)) ? invalidAuthCode({ event: 'auth_code_replayed' }) : invalidAuthCode();
  }
  concerning({ customerId: session.customerId });
  return signCustomerToken(deps, session);
}

async function openSession(
  tx: Tx,
  { clock, keyring, tokens }: Deps,
  key: CodeKey,
  codeVerifier: string | undefined,
): Promise<NewSession | undefined> {
  const now = clock.now();
  const used = await useAuthCode(tx, keyring, key, now);
  if (used === undefined) return undefined;
  if (!isProven(used.codeChallenge, codeVerifier)) throw invalidAuthCode(); // undoes its use
  const issuedAt = new Date(epochSeconds(now) * 1000); // as its token says it
  const session = {
    id: timeOrderedId(now), // so that they are listed by it, newest first
    partnerId: key.partnerId,
    customerId: used.customerId,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + tokens.customerTtlS * 1000),
  };
  await insertSession(tx, session, key);
  return session;
}

/** @returns true when it was one, so that a session was ended */
async function revokeOnReplay({ db, transact, clock }: Deps, key: CodeKey): Promise<boolean> {
  const now = clock.now();
  const used = await selectAuthCode(db, key);
  if (used !== undefined) concerning({ customerId: used.customerId });
  const sessionId = used?.sessionId;
  if (used == null || sessionId == null || used.exchangedAt === null) return false;
  if (now.getTime() - used.exchangedAt.getTime() <= REPLAY_GRACE_MS) return false;
  await transact((tx) => revokeSession(tx, sessionId, now));
  return true;
}

function isProven(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return equalDigests(sha256(verifier), Buffer.from(challenge, 'base64url'));
}

const invalidAuthCode = (options: { event?: 'auth_code_replayed' } = {}) =>
  new DomainError('INVALID_AUTH_CODE', 'the authorization code is not valid: log the customer in again', options);
