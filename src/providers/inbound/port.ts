/** The wallet that an account number is asked for. */
export interface AccountClaim {
  /** Its reference. Asked again for the same one, a provider answers the same account. */
  wallet: string;
  /** Our number of its account in the ledger: no other wallet has it. */
  account: number;
  firstName: string;
  lastName: string;
  /** International format. */
  phone?: string | undefined;
}

/** An account number that belongs to a wallet. */
export interface AssignedAccount {
  accountNumber: string;
  bankName: string;
  bankCode: string;
  /** The name that payers see. */
  accountName: string;
}

/** Assigns account numbers. */
export interface InboundProvider {
  readonly name: string;
  /**
   * Assigns an account number to a wallet, or finds the one that it has: never a second one. One call at a time for a wallet.
   *
   * @throws InboundProviderDown
   */
  assign(claim: AccountClaim): Promise<AssignedAccount>;
}

/** The provider gave no usable answer: it is safe to ask again. */
export class InboundProviderDown extends Error {
  override readonly name = 'InboundProviderDown';
}
