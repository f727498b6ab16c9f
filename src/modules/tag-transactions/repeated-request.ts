import { sha256 } from '#lib/crypto/digest.ts';
import { type Currency, type Minor, refusalError, toRefusal } from '#modules/ledger';
import { parseAddress } from '#modules/tags';
import type { TagTransactionParts } from './store.ts';

/** A tag transaction as the sender's application asks for it. */
export interface NewTagTransaction {
  /** The caller, whose tag sends. */
  applicationId: string;
  /** Addresses: `ada`, `@ada` or `ada@acme`. */
  senderTag: string;
  receiverTag: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the application's, forever; one of ours when left out. */
  reference?: string | undefined;
  narration?: string | undefined;
  /** Until when the receiver may accept; 72 hours when left out. */
  expiresAt?: Date | undefined;
}

/** A digest of the request as it was sent, by which a repeated one is recognised. */
export function digestOf({ senderTag, receiverTag, ...asked }: NewTagTransaction): Buffer {
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
 * That a transaction which already has this reference was asked for by the same request, and was not declined.
 *
 * @throws DomainError REFERENCE_REUSED, or the refusal it was declined with
 */
export function assertRepeated({ row: { requestHash, code } }: TagTransactionParts, asked: NewTagTransaction): void {
  if (!requestHash.equals(digestOf(asked))) throw refusalError('REFERENCE_REUSED');
  if (code !== null) throw refusalError(toRefusal(code));
}
