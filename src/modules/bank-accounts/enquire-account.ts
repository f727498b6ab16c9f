import { DomainError } from '#lib/domain-error.ts';
import { type AccountClaim, type BankAccount, type BankProvider, BankProviderDown } from '../../providers/bank/port.ts';

/**
 * Whose an account is, as its bank says. Never inside a transaction: the bank may be slow.
 *
 * @throws DomainError BANK_ACCOUNT_NOT_FOUND, BANK_PROVIDER_UNAVAILABLE
 */
export async function enquireAccount({ bank }: { bank: BankProvider }, claim: AccountClaim): Promise<BankAccount> {
  let account: BankAccount | undefined;
  try {
    account = await bank.enquire(claim);
  } catch (cause) {
    if (!(cause instanceof BankProviderDown)) throw cause;
    throw new DomainError('BANK_PROVIDER_UNAVAILABLE', 'the bank did not answer: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
  if (account === undefined) {
    throw new DomainError('BANK_ACCOUNT_NOT_FOUND', 'accountNumber: no such account at this bank');
  }
  return account;
}
