import { asMinor, type Currency, type Minor, type SeenTransaction, type TransactionType } from '#modules/ledger';

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

type Row = SeenTransaction['transaction'];

/** Charges on these are taken from what arrives; on others the one who pays bears them on top. */
const chargedOnArrival = new Set<TransactionType>(['PARTNER_GATEWAY', 'PARTNER_TERMINAL']);

const netOf = ({ type, amount, fee, commission, stampDuty }: Row): Minor =>
  asMinor(amount - stampDuty - (chargedOnArrival.has(type) ? fee + commission : 0n));

const minorOrNone = (amount: bigint | null | undefined): Minor | undefined =>
  amount == null ? undefined : asMinor(amount);

/** A transaction seen through what it did to a wallet. Only the partner in whose book it stands sees what others paid. */
export function toTransaction({ transaction, entry }: SeenTransaction, readerPartnerId?: string): Transaction {
  const isOwn = transaction.partnerId === readerPartnerId;
  return {
    id: transaction.id,
    type: transaction.type,
    amount: asMinor(transaction.amount),
    fee: asMinor(isOwn ? transaction.fee : (entry?.fee ?? 0n)),
    commission: asMinor(isOwn ? transaction.commission : 0n),
    net: netOf(transaction),
    currency: transaction.currency,
    status: transaction.status,
    reference: transaction.reference,
    externalReference: transaction.externalReference ?? undefined,
    comment: transaction.comment ?? undefined,
    metadata: transaction.metadata ?? undefined,
    openingBalance: minorOrNone(entry?.opening),
    closingBalance: minorOrNone(entry?.closing),
    createdAt: transaction.createdAt,
    completedAt: transaction.completedAt ?? undefined,
  };
}
