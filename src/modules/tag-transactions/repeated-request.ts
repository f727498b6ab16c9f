import { sha256 } from '#lib/crypto/digest.ts';
import { type Currency, type Minor, refusalError, toRefusal } from '#modules/ledger';
import { parseAddress } from '#modules/tags';
import type { TransactionParts } from './store.ts';
import { type SwitchTransaction, toTransaction } from './transaction.ts';

/** A transaction as its sender's application asks for it. */
export interface NewTransaction {
  /** The caller, whose tag sends. */
  applicationId: string;
  /** Addresses: `ada`, `@ada` or `ada@acme`. */
  senderTag: string;
  receiverTag: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the application's for ever; one of ours when none is given. */
  reference?: string | undefined;
  narration?: string | undefined;
  /** Until when the receiver may accept; 72 hours when none is given. */
  expiresAt?: Date | undefined;
}

/** A digest of what was asked for: by it a repeated request is known for the same. Not what was found out for it since. */
export function digestOf({ senderTag, receiverTag, ...asked }: NewTransaction): Buffer {
  const { amount, currency, narration = null, expiresAt = null } = asked;
  const content = [
    parseAddress(senderTag).handle,
    parseAddress(receiverTag).handle,
    String(amount),
    currency,
    narration,
    expiresAt,
  ];
  return sha256(JSON.stringify(content));
}

/**
 * The transaction that a reference stands for already, as it is now.
 *
 * @throws DomainError REFERENCE_REUSED, or the refusal it was declined with
 */
export function answerAgain(found: TransactionParts | undefined, asked: NewTransaction, now: Date): SwitchTransaction {
  if (found === undefined) throw new Error(`the reference ${asked.reference} is taken by nothing`);
  const { requestHash, code } = found.transaction;
  if (!requestHash.equals(digestOf(asked))) throw refusalError('REFERENCE_REUSED');
  if (code !== null) throw refusalError(toRefusal(code));
  return toTransaction(found, now);
}
