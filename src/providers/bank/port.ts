/** A bank account that somebody says is hers. */
export interface AccountClaim {
  /** Ten digits. */
  accountNumber: string;
  bankCode: string;
  /**
   * Who says so. A bank answers out of its own books and is not told; the simulator, which has no books, believes it.
   */
  claimant: { firstName: string; otherName?: string | undefined; lastName: string };
}

/** What a bank says of one of its accounts. */
export interface BankAccount {
  bankName: string;
  /** As the bank writes it: in any case, in any order. */
  accountName: string;
}

/** The banks' name enquiry. */
export interface BankProvider {
  /**
   * The account, or undefined when there is no such account or bank.
   *
   * @throws BankProviderDown when no answer could be had in time
   */
  enquire(claim: AccountClaim): Promise<BankAccount | undefined>;
}

/** The banks did not answer: nothing is known, the request is safe to send again. */
export class BankProviderDown extends Error {
  override readonly name = 'BankProviderDown';
}
