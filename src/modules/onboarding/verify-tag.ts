import { isAvailable, readPayTag } from '#modules/tags';
import type { Resources } from '../../resources.ts';

const MINUTE_S = 60;

/** Whether a PayTag could be had now. @throws DomainError INVALID_PAYTAG, TOO_MANY_REQUESTS */
export async function verifyTag(
  { db, clock, config, throttles }: Pick<Resources, 'db' | 'clock' | 'config' | 'throttles'>,
  { partnerId, paytag: text }: { partnerId: string; paytag: string },
): Promise<{ paytag: string; available: boolean }> {
  const paytag = readPayTag(text);
  const points = config.RATE_LIMIT_VERIFY_TAGS_PER_M;
  await throttles.take({ name: 'PayTags looked up', points, windowS: MINUTE_S }, partnerId);
  return { paytag, available: await isAvailable(db, paytag, clock.now()) };
}
