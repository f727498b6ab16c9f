import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { publicLink } from '#modules/tags';
import { selectByIds } from './store.ts';

/** Sharp on a phone, and small as a message: about 2 KB. Medium correction reads with 15 % of the code hidden. */
const CODE = { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 512 } as const;

/** Pictures of a process that are kept, the newest ones: one takes tens of milliseconds of the event loop to draw. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Promise<string>>();

/** The picture of a link, drawn once however many ask for it. */
function drawn(link: string): Promise<string> {
  const before = kept.get(link);
  if (before !== undefined) return before;
  const [oldest] = kept.size < KEPT_MAX ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  const drawing = draw(link);
  drawing.catch(() => kept.delete(link));
  kept.set(link, drawing);
  return drawing;
}

async function draw(link: string): Promise<string> {
  const { toBuffer } = await import('qrcode'); // loaded when first needed
  return (await toBuffer(link, CODE)).toString('base64');
}

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
  return drawn(publicLink(found.handle, publicUrl));
}
