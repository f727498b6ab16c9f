import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { qrPng } from '#lib/qr-code.ts';
import { publicLink } from '#modules/tags';
import { selectByIds } from './store.ts';

/**
 * A QR code that says the public link of a customer's PayTag: a PNG, in base64.
 *
 * @throws DomainError PAYTAG_NOT_FOUND when the PayTag is closed
 */
export async function payTagQr(
  { db, publicUrl }: { db: Database; publicUrl: string },
  customerId: string,
): Promise<string> {
  const [found] = await selectByIds(db, [customerId]);
  if (found === undefined || found.tagStatus === 'CLOSED') {
    throw new DomainError('PAYTAG_NOT_FOUND', 'the customer has no PayTag any more');
  }
  return qrPng(publicLink(found.handle, publicUrl));
}
