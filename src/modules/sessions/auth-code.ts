import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken, timeOrderedId } from '#lib/random.ts';
import { concerning } from '#lib/security-events.ts';
import {
  assertPasswordTurn,
  type Customer,
  dummyPasswordHash,
  findCustomerByPayTag,
  mayLogIn,
  notifyCustomer,
  partnerShare,
  verifyPassword,
} from '#modules/customers';
import { expectKeySet } from '#modules/keys';
import type { Throttles } from '#modules/limits';
import { parseHandle } from '#modules/tags';
import { hasProvenWallet, openCustomerWallet } from '#modules/wallets';
import { epochSeconds, signCustomerToken } from './customer-token.ts';
import { type LoginLimits, loginThrottle } from './login-throttle.ts';
import {
  type CodeKey,
  hasLoggedInBefore,
  insertAuthCode,
  insertSession,
  type NewSession,
  recordPriorLogin,
  revokeSession,
  selectAuthCode,
  useAuthCode,
} from './store.ts';

type IssueAuthCodeDeps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  nubanInstitutionCode: string;
  tokens: { authCodeTtlS: number };
  throttles: Throttles;
  limits: LoginLimits;
};

export interface Login {
  partner: { id: string; redirectUrl: string };
  paytag: string;
  password: string;
  scope: 'profile';
  /** Returned in the redirect as it was given. */
  state?: string | undefined;
  /** S256: the exchange must show its verifier (RFC 7636). */
  codeChallenge?: string | undefined;
  codeChallengeMethod?: 'S256' | undefined;
}

/**
 * Logs a customer in at a partner: the partner's registered redirect URL with an authorization code added (RFC 6749
 * 4.1.2). The first login there opens the customer's wallet, and sends them a notice.
 *
 * @throws DomainError INVALID_PARAMETER for a challenge's method without a challenge; PAYTAG_NOT_FOUND,
 *   INVALID_CUSTOMER_CREDENTIALS, PASSWORD_NOT_SET, TOO_MANY_REQUESTS, BUSY
 */
export async function issueAuthCode(deps: IssueAuthCodeDeps & { metrics: Meter }, login: Login): Promise<string> {
  try {
    const redirectUrl = await logIn(deps, login);
    deps.metrics.add('paytag_logins_total', { outcome: 'ok' });
    return redirectUrl;
  } catch (error) {
    const outcome = error instanceof DomainError ? outcomes[error.code] : undefined;
    if (outcome !== undefined) deps.metrics.add('paytag_logins_total', { outcome });
    throw error;
  }
}

/** What a refusal is counted as. */
const outcomes: Partial<Record<ErrorCode, 'wrong' | 'throttled'>> = {
  PAYTAG_NOT_FOUND: 'wrong',
  INVALID_CUSTOMER_CREDENTIALS: 'wrong',
  PASSWORD_NOT_SET: 'wrong',
  TOO_MANY_REQUESTS: 'throttled',
};

async function logIn(deps: IssueAuthCodeDeps, login: Login): Promise<string> {
  const { partner, scope, state, codeChallenge, codeChallengeMethod } = login;
  if (codeChallengeMethod !== undefined && codeChallenge === undefined) {
    throw new DomainError('INVALID_PARAMETER', 'code_challenge: is missing, though its method is given');
  }
  const customer = await provenCustomer(deps, login);
  const code = randomToken();
  const now = deps.clock.now();
  await deps.transact(async (tx) => {
    const pair = { partnerId: partner.id, customerId: customer.id };
    const [mayStill, isKnownThere] = await Promise.all([
      // Meanwhile the password may have been changed, the PayTag closed, or its owner frozen.
      mayLogIn(tx, deps.keyring, customer.id, customer.passwordHash),
      customer.hasPriorLogin && hasProvenWallet(tx, deps.keyring, pair),
      insertAuthCode(tx, deps.keyring, {
        digest: sha256(code),
        ...pair,
        scope,
        codeChallenge: codeChallenge ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + deps.tokens.authCodeTtlS * 1000),
      }),
    ]); // all sent together
    if (!mayStill) throw wrongPassword(); // undoes the code
    if (isKnownThere) return;
    await openCustomerWallet(tx, deps, { ...pair, provenAt: now });
    const isFirst = await recordPriorLogin(tx, pair, now);
    if (isFirst) await notifyCustomer(tx, deps, { ...pair, kind: 'FIRST_LOGIN', now });
  });
  return withAuthCode(partner.redirectUrl, code, state);
}

/** Whatever the refusal, a guess that the throttle let through costs the same work, so that its time shows nothing. */
async function provenCustomer(
  deps: IssueAuthCodeDeps,
  { partner, paytag, password }: Login,
): Promise<Customer & { passwordHash: string; hasPriorLogin: boolean }> {
  const { db, keyring } = deps;
  const share = partnerShare(partner.id);
  assertPasswordTurn(share);
  const handle = parseHandle(paytag);
  const customer = handle === undefined ? undefined : await findCustomerByPayTag(db, keyring, handle);
  concerning({ customerId: customer?.id });
  const hasPriorLogin =
    customer !== undefined && (await hasLoggedInBefore(db, { partnerId: partner.id, customerId: customer.id }));
  const throttle = loginThrottle(deps, {
    partnerId: partner.id,
    paytag: handle ?? paytag,
    isKnown: customer !== undefined,
    hasPriorLogin,
  });
  await throttle.assertOpen();
  // For a frozen customer no password is right, and the answer is that to a guesser.
  const passwordHash =
    (customer?.isFrozen === true ? undefined : customer?.passwordHash) ?? (await dummyPasswordHash());
  const proven = await verifyPassword(passwordHash, password, { share, guesses: throttle });
  await throttle.ended(proven && customer?.passwordHash !== undefined);
  if (customer === undefined) {
    throw new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag', { event: 'login_failed' });
  }
  if (customer.passwordHash === undefined) {
    const message = 'this customer has no password yet: onboarding sets one';
    throw new DomainError('PASSWORD_NOT_SET', message, { event: 'login_failed' });
  }
  if (!proven) throw wrongPassword();
  return { ...customer, passwordHash: customer.passwordHash, hasPriorLogin };
}

const wrongPassword = () => new DomainError('INVALID_CUSTOMER_CREDENTIALS', 'the password is wrong');

/** Added as text, so that the registered URL's own query stays as it was written. */
function withAuthCode(redirectUrl: string, code: string, state: string | undefined): string {
  const [page = ''] = redirectUrl.split('#', 1); // one from before they were refused
  const separator = page.includes('?') ? '&' : '?';
  const returned = state === undefined ? '' : `&state=${encodeURIComponent(state)}`;
  return `${page}${separator}auth-code=${code}${returned}`;
}

type ExchangeAuthCodeDeps = {
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
  deps: ExchangeAuthCodeDeps,
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
  { clock, keyring, tokens }: ExchangeAuthCodeDeps,
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
async function revokeOnReplay({ db, transact, clock }: ExchangeAuthCodeDeps, key: CodeKey): Promise<boolean> {
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
