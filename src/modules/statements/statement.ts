import type { Brand } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { asMinor, type Currency, type Minor } from '#modules/ledger';
import { findPartner } from '#modules/partners';
import { findSenders } from '#modules/payments';
import { type StatementRow, walletStatement } from '#modules/wallets';
import { describeRow } from './describe-row.ts';
import type { StatementRequest } from './link.ts';
import type { Period } from './period.ts';

/** One movement. Amounts are minor units. Either `debit` or `credit` is given, with the fee included. */
export interface Line {
  at: Date;
  description: string;
  comment: string | undefined;
  reference: string;
  externalReference: string | undefined;
  debit: Minor | undefined;
  credit: Minor | undefined;
  fee: Minor;
  balance: Minor;
}

/** A statement of account, ready to be written. Of its holder it says the name and the PayTag, and nothing more. */
export interface Statement extends Period {
  /** Whose paper it is. */
  brand: Brand;
  holder: string;
  paytag: string | undefined;
  nuban: string;
  partner: string;
  currency: Currency;
  issuedAt: Date;
  opening: Minor;
  /** Unsigned. */
  credits: Minor;
  debits: Minor;
  closing: Minor;
  count: number;
  /** Oldest first, in pages that are read one at a time; each line is checked against the one before it. */
  pages: AsyncIterable<Line[]>;
}

/** The books contradict each other, so that no statement can be made. */
export class StatementDoesNotBalance extends Error {
  override readonly name = 'StatementDoesNotTie';
}

/**
 * The statement that was asked for.
 *
 * @throws DomainError WALLET_NOT_FOUND
 * @throws StatementDoesNotBalance unless opening + credits − debits = closing; and, while `pages` are read, unless each line
 *   begins with the balance that the one before it left and the last one ends with the closing balance
 */
export async function readStatement(
  resources: { db: Database; keyring: Keyring; clock: Clock; brand: Brand },
  { wallet: reference, from, to }: Omit<StatementRequest, 'format'>,
): Promise<Statement> {
  const { holder, partnerId, pages, ...totals } = await walletStatement(resources, { reference, from, to });
  const { opening, credits, debits, closing, count } = totals;
  if (opening + credits - debits !== closing)
    throw new StatementDoesNotBalance(`the totals of ${reference} do not balance`);
  const partner = (await findPartner(resources.db, partnerId))?.name ?? '';

  async function* lines(): AsyncGenerator<Line[]> {
    let [balance, read] = [opening as bigint, 0];
    for await (const rows of pages) {
      const senders = await findSenders(
        resources.db,
        rows.map(({ id }) => id),
      );
      for (const row of rows) {
        if (row.openingBalance !== balance)
          throw new StatementDoesNotBalance(`${row.reference} of ${reference} does not balance`);
        balance = row.closingBalance;
      }
      read += rows.length;
      yield rows.map((row) => toLine(row, describeRow(row, { partnerName: partner, sender: senders.get(row.id) })));
    }
    if (balance !== closing || read !== count)
      throw new StatementDoesNotBalance(`the lines of ${reference} do not balance`);
  }

  return {
    brand: resources.brand,
    holder: holder.wallet.name,
    paytag: holder.payTag?.tag,
    nuban: holder.wallet.nuban,
    partner,
    currency: holder.wallet.currency,
    from,
    to,
    issuedAt: resources.clock.now(),
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
    fee: row.fee,
    balance: row.closingBalance,
  };
}
