/** A bank account that somebody says is theirs. */
export interface AccountClaim {
  /** Ten digits. */
  accountNumber: string;
  bankCode: string;
  /** Who says so. Only the simulator, which has no accounts, uses it: it answers with their name. A bank is not told. */
  claimant: { firstName: string; otherName?: string | undefined; lastName: string };
}

/** What a bank says of one of its accounts. */
export interface BankAccount {
  bankName: string;
  /** As the bank writes it: in any case, in any order. */
  accountName: string;
}

/** The banks' name enquiry: whose an account is. */
export interface BankProvider {
  /**
   * Looks an account up; undefined when there is no such account or bank.
   *
   * @throws BankProviderDown when there was no usable answer in time
   */
  enquire(claim: AccountClaim): Promise<BankAccount | undefined>;
}

/** The banks did not answer. Nothing is known, and it is safe to ask again. */
export class BankProviderDown extends Error {
  override readonly name = 'BankProviderDown';
}
