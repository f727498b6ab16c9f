import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Throttles } from '#modules/limits';
import { isAvailable, readPayTag } from '#modules/tags';

const MINUTE_S = 60;

/** Whether a PayTag could be had now. @throws DomainError INVALID_PAYTAG, TOO_MANY_REQUESTS */
export async function verifyTag(
  {
    db,
    clock,
    limits,
    throttles,
  }: { db: Database; clock: Clock; limits: { verifyTagsPerM: number }; throttles: Throttles },
  { partnerId, paytag: text }: { partnerId: string; paytag: string },
): Promise<{ paytag: string; available: boolean }> {
  const paytag = readPayTag(text);
  const points = limits.verifyTagsPerM;
  await throttles.take({ name: 'PayTags looked up', points, windowS: MINUTE_S }, partnerId);
  return { paytag, available: await isAvailable(db, paytag, clock.now()) };
}
