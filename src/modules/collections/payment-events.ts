import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { findPartner } from '#modules/clients';
import { type AfterSettling, type Minor, settledAccountOf, toMajor } from '#modules/ledger';
import { emit } from '#modules/outbox';
import { publicLink } from '#modules/tags';
import { addToTerminal, findTerminalById, type Terminal } from '#modules/terminals';
import { findWalletOfAccount, toTransaction, type WalletTransaction } from '#modules/wallets';
import type { Sender } from './receive-money.ts';
import { selectPayments } from './store.ts';

type Reported = Awaited<ReturnType<typeof selectPayments>>[number];

/**
 * For payments that settle from suspense: publishes transaction.status and adds them to their terminal, in the database
 * transaction that credits them. A report does both at once for a payment that is credited at once.
 */
export const publishSettled =
  (deps: { keyring: Keyring; publicUrl: string }): AfterSettling =>
  async (tx, transactionIds) => {
    for (const reported of await selectPayments(tx, { transactionIds })) {
      const { type } = reported.transaction;
      if (type === 'PARTNER_GATEWAY' || type === 'PARTNER_TERMINAL') await publishOne(deps, tx, reported);
    }
  };

async function publishOne(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  tx: Tx,
  { transaction: stored, payment }: Reported,
): Promise<void> {
  const partner = stored.partnerId === null ? undefined : await findPartner(tx, stored.partnerId);
  if (partner === undefined) throw new Error(`payment ${stored.id} has no partner`);
  const creditedAt = stored.completedAt ?? stored.createdAt;
  const transaction = { ...toTransaction({ transaction: stored, entry: null }, partner.id), createdAt: creditedAt };
  const terminal =
    payment.terminalId === null ? undefined : await addTo(keyring, tx, payment.terminalId, transaction.net);
  const wallet = await findWalletOfAccount(tx, keyring, await settledAccountOf(tx, stored.id));
  await publishStatus(tx, transaction, {
    partnerId: partner.id,
    sender: {
      name: payment.senderName ?? undefined,
      paytag: payment.senderPaytag ?? undefined,
      type: payment.senderType ?? undefined,
    },
    recipient: wallet?.reference ?? terminal?.merchant ?? partner.name,
    terminal,
    publicUrl,
  });
}

async function addTo(keyring: Keyring, tx: Tx, terminalId: number, net: Minor): Promise<Terminal> {
  const balance = await addToTerminal(tx, terminalId, net);
  return { ...(await findTerminalById(tx, keyring, terminalId)), balance };
}

/** The parts of a transaction.status event besides the transaction. */
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

/** Without a terminal: the same members, without values. */
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
