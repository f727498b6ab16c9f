import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { publicLink } from '#modules/tags';
import { selectByIds } from './store.ts';

/** Sharp on a phone, and small as a message: about 2 KB. Medium correction reads with 15 % of the code hidden. */
const CODE = { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 512 } as const;

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
  const { toBuffer } = await import('qrcode'); // loaded when first needed
  return (await toBuffer(publicLink(found.handle, publicUrl), CODE)).toString('base64');
}
