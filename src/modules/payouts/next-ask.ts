import type { Clock } from '#lib/clock.ts';
import { randomFraction } from '#lib/random.ts';
import type { PayoutRow } from './store.ts';

const ASK_MAX_MS = 15 * 60_000;
const JITTER = 0.2;

/** When the provider is asked again: each time after twice as long, up to a quarter of an hour, give or take a fifth. */
export function nextAskAt(
  { clock, payouts: { verifyBaseMs } }: { clock: Clock; payouts: { verifyBaseMs: number } },
  { attempts }: Pick<PayoutRow, 'attempts'>,
): Date {
  const delayMs = Math.min(verifyBaseMs * 2 ** Math.max(0, attempts - 1), ASK_MAX_MS);
  return new Date(clock.now().getTime() + delayMs * (1 + JITTER * (2 * randomFraction() - 1)));
}
