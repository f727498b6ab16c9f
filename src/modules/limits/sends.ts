import { secondsUntil } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Channel } from '../../providers/messaging/port.ts';

/** How long a code is good for. */
const CODE_TTL_MS = 5 * 60_000;
/** Between two sends by one channel. */
export const SEND_COOLDOWN_MS = 60_000;
/** Sends for one purpose, by all channels. */
const SENDS_MAX = 5;

/** The codes sent for one purpose so far. */
export interface SendCount {
  sends: number;
  /** The last send, by channel: ISO 8601. */
  sentAt: Record<string, string>;
  /** When the purpose expires. */
  expiresAt: Date;
}

/**
 * @param afterLast what is left to do when no more codes are sent
 * @throws DomainError OTP_SENDS_EXCEEDED, OTP_COOLDOWN
 */
export function assertMaySend(
  { sends, sentAt, expiresAt }: SendCount,
  { channel, now, afterLast }: { channel: Channel; now: Date; afterLast: string },
): void {
  if (sends >= SENDS_MAX) {
    throw new DomainError('OTP_SENDS_EXCEEDED', `${SENDS_MAX} codes were sent: ${afterLast}`, {
      retryAfterS: secondsUntil(expiresAt, now),
    });
  }
  const last = sentAt[channel];
  const again = last === undefined ? now : new Date(Date.parse(last) + SEND_COOLDOWN_MS);
  if (again <= now) return;
  const retryAfterS = secondsUntil(again, now);
  throw new DomainError('OTP_COOLDOWN', `a code was sent by ${channel} a moment ago: wait ${retryAfterS} s`, {
    retryAfterS,
  });
}

/** The count with one more send, and until when the code of that send is good. */
export const countSend = ({ sends, sentAt }: SendCount, channel: Channel, now: Date) => ({
  sends: sends + 1,
  sentAt: { ...sentAt, [channel]: now.toISOString() },
  codeExpiresAt: new Date(now.getTime() + CODE_TTL_MS),
});
