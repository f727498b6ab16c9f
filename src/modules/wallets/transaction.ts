import type { Currency, Minor, TransactionType } from '#modules/ledger';

/** A transaction as a partner or a customer may see it. Amounts are minor units. */
export interface Transaction {
  id: number;
  type: TransactionType;
  amount: Minor;
  fee: Minor;
  commission: Minor;
  /** What reached its destination. */
  net: Minor;
  currency: Currency;
  /** Pending: a refund whose wallet takes nothing in now. Reversed: refunded whole. */
  status: 'Pending' | 'Successful' | 'Failed' | 'Reversed';
  reference: string;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The wallet's balance before and after; absent where no wallet of the reader was moved. */
  openingBalance?: Minor | undefined;
  closingBalance?: Minor | undefined;
  createdAt: Date;
  completedAt?: Date | undefined;
}
