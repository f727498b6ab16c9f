import type { Tx } from '#lib/postgres/executor.ts';
import { toMajor } from '#modules/ledger';
import { emit } from '#modules/outbox';
import { publicLink } from '#modules/tags';
import type { Terminal } from '#modules/terminals';
import type { WalletTransaction } from '#modules/wallets';
import type { Sender } from './report.ts';

/** What a transaction.status event says besides the transaction. */
export interface StatusDetails {
  partnerId: string;
  sender: Sender;
  /** Who received it, as the partner calls them. */
  recipient: string;
  /** The terminal it was paid at, as it is after the payment. */
  terminal?: Terminal | undefined;
  publicUrl: string;
}

/**
 * Publishes a successful payment to its partner, in its database transaction. All members are there: one without a value is
 * '', {} or 0; a date without a value is left out.
 */
export async function publishStatus(tx: Tx, transaction: WalletTransaction, details: StatusDetails): Promise<void> {
  const { reference } = transaction;
  const body = JSON.stringify({ event: 'transaction.status', reference, data: statusData(transaction, details) });
  await emit(tx, { ownerId: details.partnerId, event: 'transaction.status', reference, body });
}

/** The members of the contract, in its order. */
const statusData = (transaction: WalletTransaction, { sender, recipient, terminal, publicUrl }: StatusDetails) => ({
  Amount: toMajor(transaction.amount),
  Fee: toMajor(transaction.fee),
  Commission: toMajor(transaction.commission),
  Net: toMajor(transaction.net),
  Reference: transaction.reference,
  Sender: sender.name ?? sender.paytag ?? '',
  SenderDetails: {
    Name: sender.name ?? '',
    Paytag: sender.paytag ?? '',
    Type: sender.type ?? '',
    Currency: transaction.currency,
    Amount: toMajor(transaction.amount),
    Fee: toMajor(transaction.fee),
  },
  Recipient: recipient,
  Status: transaction.status,
  Comment: transaction.comment ?? '',
  Date: transaction.createdAt,
  CompletedAt: transaction.completedAt,
  Metadata: transaction.metadata ?? {},
  Terminal: terminalData(terminal, publicUrl),
});

/** Of a payment that was made at no terminal: the same members, without values. */
const terminalData = (terminal: Terminal | undefined, publicUrl: string) => ({
  SerialNumber: terminal?.serialNumber ?? '',
  TerminalID: terminal?.terminalId ?? '',
  Merchant: terminal?.merchant ?? '',
  Email: terminal?.email ?? '',
  PhoneNumber: terminal?.phoneNumber ?? '',
  Status: terminal?.status ?? '',
  PayTag: terminal?.paytag ?? '',
  Qr: terminal?.paytag === undefined ? '' : publicLink(terminal.paytag, publicUrl),
  CreatedAt: terminal?.createdAt,
  Metadata: terminal?.metadata ?? {},
  Balance: terminal === undefined ? 0 : toMajor(terminal.balance),
});
