import type { Brand } from '#lib/brand.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { findPartner } from '#modules/clients';
import { findSenders } from '#modules/collections';
import { findPostalAddress } from '#modules/customers';
import { asMinor, type Currency, type Minor } from '#modules/ledger';
import { findSendersBookedAs } from '#modules/offers';
import { findPayees, type PayoutAccount } from '#modules/payouts';
import { type StatementRow, walletStatement } from '#modules/wallets';
import type { Period, StatementRequest } from './link.ts';

/**
 * What happened, in words.
 *
 * @param names.sender who sent the money, as the rails reported it, or the application and tag of whom it came from
 * @param names.payee the bank account that a payout went to or came back from
 */
function describeRow(
  row: StatementRow,
  { partnerName, sender, payee }: { partnerName: string; sender: string | undefined; payee: PayoutAccount | undefined },
): string {
  const isCredit = row.closingBalance > row.openingBalance;
  const { counterparty } = row;
  const customer = counterparty && `${counterparty.name} (@${counterparty.tag})`;
  const other = customer ?? sender;
  const words = (what: string, whom = other) =>
    whom === undefined ? what : `${what} ${isCredit ? 'from' : 'to'} ${whom}`;
  const account = payee && `${payee.bankName} ${payee.accountNumber}, ${payee.accountName}`;
  switch (row.type) {
    case 'PARTNER_WALLET_CREDIT':
      return words('Credit', partnerName);
    case 'PARTNER_WALLET_DEBIT':
      return `Debit by ${partnerName}`;
    case 'PARTNER_REFUND':
      return isCredit ? words('Refund', partnerName) : `Reversal by ${partnerName}`;
    case 'PAYOUT':
      return words('Payout', account);
    case 'PAYOUT_CORRECTION':
      return words('Payout, booked later,', account);
    case 'REVERSAL':
      if (account !== undefined) return words('Payout returned', account);
      return other === undefined ? `Reversal of ${row.externalReference ?? 'a transaction'}` : words('Reversal');
    case 'PARTNER_GATEWAY':
      return words('Payment');
    case 'PARTNER_TERMINAL':
      return words('Terminal payment');
    case 'INBOUND':
      return words('Bank transfer');
    default:
      return words('Transfer');
  }
}

/** One movement. Amounts are minor units. Either `debit` or `credit` is given, with the fee included. */
export interface Line {
  at: Date;
  description: string;
  comment: string | undefined;
  reference: string;
  externalReference: string | undefined;
  debit: Minor | undefined;
  credit: Minor | undefined;
  /** What of it the wallet was charged: paid on top of a debit, or taken from a credit. */
  fee: Minor;
  balance: Minor;
}

/** What a statement of account says. */
export interface StatementContent extends Period {
  walletId: number;
  holder: string;
  paytag: string | undefined;
  /** Of the holder, in one line; undefined where none is on record. */
  address: string | undefined;
  nuban: string;
  partner: string;
  currency: Currency;
  opening: Minor;
  /** Unsigned. */
  credits: Minor;
  debits: Minor;
  closing: Minor;
  count: number;
  /** Oldest first, in pages that are read one at a time; each line is checked against the one before it. */
  pages: AsyncIterable<Line[]>;
}

/** A statement that is given out: by its code anybody who has the paper can ask whether it is ours. */
export interface Verification {
  /** e.g. `7K3M-9QXT-04WE-B2ZC-H5NA`. */
  code: string;
  /** Where the code is asked for, and the same with the code in it. */
  verifyAt: string;
  verifyUrl: string;
  /** When a statement that says the same was first given out. */
  issuedAt: Date;
}

/** A statement of account that is given out, ready to be written. */
export interface Statement extends StatementContent, Verification {
  /** Who gives it out. */
  brand: Brand;
  /** Where nothing is real, which every page of it says: `sandbox` or `staging`. Undefined in live. */
  testing: string | undefined;
}

/** The books contradict each other, so that no statement can be made. */
export class StatementDoesNotBalance extends Error {
  override readonly name = 'StatementDoesNotTie';
}

/**
 * What the statement that was asked for says.
 *
 * @throws DomainError WALLET_NOT_FOUND; BUSY, also while `pages` are read
 * @throws StatementDoesNotBalance unless opening + credits − debits = closing; and, while `pages` are read, unless each line
 *   begins with the balance that the one before it left and the last one ends with the closing balance
 */
export async function readStatement(
  resources: { db: Database; keyring: Keyring; securityLog: SecurityLog; readLong: ReadLong },
  { wallet: reference, from, to }: Omit<StatementRequest, 'format'>,
): Promise<StatementContent> {
  const { holder, customerId, partnerId, pages, ...totals } = await walletStatement(resources, { reference, from, to });
  const { opening, credits, debits, closing, count } = totals;
  if (opening + credits - debits !== closing)
    throw new StatementDoesNotBalance(`the totals of ${reference} do not balance`);
  const partner = (await findPartner(resources.db, partnerId))?.name ?? '';

  async function* lines(): AsyncGenerator<Line[]> {
    let [balance, read] = [opening as bigint, 0];
    for await (const rows of pages) {
      const ids = rows.map(({ id }) => id);
      const [senders, payees, offerers] = await resources.readLong(`wallet:${reference}`, async (db) => [
        await findSenders(db, ids),
        await findPayees(db, resources, rows),
        await findSendersBookedAs(db, rows),
      ]);
      for (const row of rows) {
        if (row.openingBalance !== balance)
          throw new StatementDoesNotBalance(`${row.reference} of ${reference} does not balance`);
        balance = row.closingBalance;
      }
      read += rows.length;
      yield rows.map((row) => {
        const [sender, payee] = [senders.get(row.id) ?? offerers.get(row.reference), payees.get(row.id)];
        return toLine(row, describeRow(row, { partnerName: partner, sender, payee }));
      });
    }
    if (balance !== closing || read !== count)
      throw new StatementDoesNotBalance(`the lines of ${reference} do not balance`);
  }

  return {
    walletId: holder.id,
    holder: holder.wallet.name,
    paytag: holder.payTag?.tag,
    address: customerId === null ? undefined : await findPostalAddress(resources, customerId),
    nuban: holder.wallet.nuban,
    partner,
    currency: holder.wallet.currency,
    from,
    to,
    ...totals,
    pages: lines(),
  };
}

function toLine(row: StatementRow, description: string): Line {
  const moved = row.closingBalance - row.openingBalance;
  return {
    at: row.createdAt,
    description,
    comment: row.comment,
    reference: row.reference,
    externalReference: row.externalReference,
    debit: moved < 0n ? asMinor(-moved) : undefined,
    credit: moved > 0n ? asMinor(moved) : undefined,
    fee: moved < 0n ? row.fee : asMinor(row.amount - row.net),
    balance: row.closingBalance,
  };
}
