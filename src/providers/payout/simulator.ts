import { type Clock, systemClock } from '#lib/clock.ts';
import { PayoutNotSent, type PayoutProvider, type PayoutReport, PayoutUnknown } from './port.ts';

const HOUR_MS = 3_600_000;

/** What happens to a payment, by the kobo of its amount; to any other: it succeeds. */
const REFUSED = 1n;
const UNKNOWN_THEN_SUCCESSFUL = 2n;
const UNKNOWN_FOR_AN_HOUR = 3n;
const SUCCESSFUL_THEN_REVERSED = 4n;

/**
 * A bank for development: by the kobo of its amount a payment is refused (.01), is of unknown end and then successful (.02), is of
 * unknown end for an hour (.03), or is successful and then reversed (.04). Any other succeeds at once.
 */
export const payoutSimulator = (clock: Clock = systemClock): PayoutProvider => ({
  name: 'simulator',
  leastAmount: 100n,
  recheckAfterMs: 2_000,
  async send({ amount }, record): Promise<PayoutReport> {
    if (!(await record())) throw new PayoutNotSent('another worker has taken it over');
    const kobo = amount % 100n;
    if (kobo === REFUSED) return { state: 'FAILED', detail: 'refused by the simulator' };
    if (kobo === UNKNOWN_THEN_SUCCESSFUL || kobo === UNKNOWN_FOR_AN_HOUR) {
      throw new PayoutUnknown('the simulator does not answer');
    }
    return { state: 'SUCCESSFUL' };
  },
  async verify({ amount }, sentAt): Promise<PayoutReport> {
    const kobo = amount % 100n;
    if (kobo === REFUSED) return { state: 'FAILED', detail: 'refused by the simulator' };
    if (kobo === UNKNOWN_FOR_AN_HOUR && clock.now().getTime() < sentAt.getTime() + HOUR_MS) {
      throw new PayoutUnknown('the simulator does not answer');
    }
    return { state: kobo === SUCCESSFUL_THEN_REVERSED ? 'REVERSED' : 'SUCCESSFUL' };
  },
});
