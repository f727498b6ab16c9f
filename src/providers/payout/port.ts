/** A payment to a bank account, as its provider is asked for it. */
export interface PayoutOrder {
  /** Ours at the provider: it never changes, and the provider makes one payment of it. */
  reference: string;
  /** Minor units of naira. */
  amount: bigint;
  /** Ten digits. */
  accountNumber: string;
  bankCode: string;
  /** As the bank writes it. */
  accountName: string;
  /** What the payee reads. */
  narration: string;
}

/** What a provider says has become of a payment. */
export type PayoutReport =
  | { readonly state: 'PENDING' | 'SUCCESSFUL' | 'REVERSED'; readonly providerId?: string | undefined }
  | { readonly state: 'FAILED'; readonly providerId?: string | undefined; readonly detail: string }
  /** It has no payment of this reference. */
  | { readonly state: 'NOT_FOUND' };

/** Pays bank accounts. */
export interface PayoutProvider {
  readonly name: string;
  /** The least that the rail carries, in minor units. */
  readonly leastAmount: bigint;
  /** After how long a payment that succeeded is looked at once more: a bank may send it back. */
  readonly recheckAfterMs: number;
  /**
   * Asks for a payment, once.
   *
   * @param record writes down that the payment is asked for, and says whether it may be: not once another worker has taken it
   *   over. To be called right before it is asked for, and once
   * @throws PayoutNotSent when it cannot have been asked for; PayoutUnknown when it may have been
   */
  send(order: PayoutOrder, record: () => Promise<boolean>): Promise<PayoutReport>;
  /**
   * What has become of a payment that was asked for. It moves nothing.
   *
   * @param sentAt when it was asked for
   * @throws PayoutUnknown when there was no usable answer; PayoutDiffers when what it has under this reference is not what was ordered
   */
  verify(order: PayoutOrder, sentAt: Date): Promise<PayoutReport>;
}

/** The provider cannot have been reached, or said that it takes none now: nothing was asked for, and it is safe to ask again. */
export class PayoutNotSent extends Error {
  override readonly name = 'PayoutNotSent';
}

/** There was no usable answer: the payment may have been made. */
export class PayoutUnknown extends Error {
  override readonly name: string = 'PayoutUnknown';
}

/** The provider has another payment under this reference: of another amount, or to another account. It never counts as ours. */
export class PayoutDiffers extends PayoutUnknown {
  override readonly name = 'PayoutDiffers';
}

/** Whom a provider says that a payment goes to, as far as it says so. */
export interface SaidPayee {
  readonly accountNumber?: string | undefined;
  readonly bankCode?: string | undefined;
}

type Ordered = Pick<PayoutOrder, 'accountNumber' | 'bankCode'>;

/** Whether that is who was ordered. UNSAID: nothing of it differs, and it does not name bank and account. */
export function comparePayee(said: SaidPayee, { accountNumber, bankCode }: Ordered): 'SAME' | 'DIFFERENT' | 'UNSAID' {
  if ((said.accountNumber ?? accountNumber) !== accountNumber || (said.bankCode ?? bankCode) !== bankCode)
    return 'DIFFERENT';
  return said.accountNumber === undefined || said.bankCode === undefined ? 'UNSAID' : 'SAME';
}
