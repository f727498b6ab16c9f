import type { DepsOf } from '#lib/deps-of.ts';
import { hearOfPayout } from '#modules/payouts';
import type { Told } from '../../providers/hooks/port.ts';
import type { Difference } from './message-state.ts';

/** What has become of a message. */
export type Outcome =
  | { state: 'BOOKED'; transactionId: number }
  | { state: 'IGNORED' }
  /** `isTriedAgain`: what is missing may still come. */
  | { state: 'DIFFERENT'; difference: Difference; transactionId?: number | undefined; isTriedAgain?: boolean };

export type BookingDeps = DepsOf<typeof hearOfPayout>;

/** Books what a provider told, once however often it is told. @throws Error when it cannot be booked now */
export async function bookTold(
  deps: BookingDeps,
  { provider, told }: { id: string; provider: string; told: Told },
): Promise<Outcome> {
  switch (told.kind) {
    case 'TRANSFER':
      return hearOfPayout(deps, { provider, ...told });
    default:
      return { state: 'IGNORED' };
  }
}
