import { type Customer, findCustomerByPayTag, hashOfNobody, verifyPassword } from '#modules/customers';
import { parseHandle } from '#modules/tags';
import { openCustomerWallet } from '#modules/wallets';
import { sha256 } from '../../lib/crypto/digest.ts';
import { DomainError } from '../../lib/domain-error.ts';
import { randomToken } from '../../lib/random.ts';
import type { Resources } from '../../resources.ts';
import { insertAuthCode } from './store.ts';

type Deps = Pick<Resources, 'db' | 'keyring' | 'clock' | 'config'>;

export interface Login {
  partner: { id: string; redirectUrl: string };
  paytag: string;
  password: string;
  scope: 'profile';
}

/**
 * Logs a customer in at a partner: the partner's registered redirect URL with an authorization code added (RFC 6749
 * 4.1.2). The first login there opens her wallet.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, INVALID_CUSTOMER_CREDENTIALS, PASSWORD_NOT_SET, BUSY
 */
export async function issueAuthCode(deps: Deps, { partner, paytag, password, scope }: Login): Promise<string> {
  const customer = await provenCustomer(deps, paytag, password);
  const code = randomToken();
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await openCustomerWallet(tx, deps.config, { partnerId: partner.id, customerId: customer.id });
    await insertAuthCode(tx, {
      digest: sha256(code),
      partnerId: partner.id,
      customerId: customer.id,
      scope,
      createdAt: now,
      expiresAt: new Date(now.getTime() + deps.config.AUTH_CODE_TTL_S * 1000),
    });
  });
  return withAuthCode(partner.redirectUrl, code);
}

/** Every refusal comes after the same work, so that its time tells nothing. */
async function provenCustomer({ db, keyring }: Deps, paytag: string, password: string): Promise<Customer> {
  const handle = parseHandle(paytag);
  const customer = handle === undefined ? undefined : await findCustomerByPayTag(db, keyring, handle);
  const proven = await verifyPassword(customer?.passwordHash ?? (await hashOfNobody()), password);
  if (customer === undefined) throw new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag');
  if (customer.passwordHash === undefined) {
    throw new DomainError('PASSWORD_NOT_SET', 'this customer has no password yet: she sets one by onboarding');
  }
  if (!proven) throw new DomainError('INVALID_CUSTOMER_CREDENTIALS', 'the password is wrong');
  return customer;
}

/** Added as text, so that the registered URL's own query stays as it was written. */
function withAuthCode(redirectUrl: string, code: string): string {
  const separator = redirectUrl.includes('?') ? '&' : '?';
  return `${redirectUrl}${separator}auth-code=${code}`;
}
