import { isAvailable, readPayTag } from '#modules/tags';
import type { Resources } from '../../resources.ts';

/** Whether a PayTag could be had now. @throws DomainError INVALID_PAYTAG */
export async function verifyTag(
  { db }: Pick<Resources, 'db'>,
  text: string,
): Promise<{ paytag: string; available: boolean }> {
  const paytag = readPayTag(text);
  return { paytag, available: await isAvailable(db, paytag) };
}
