/** A session's life. */
export const SESSION_TTL_MS = 30 * 60_000;
/** How long a code can be answered. */
export const OTP_TTL_MS = 5 * 60_000;
/** Between two sends by one channel. */
export const SEND_COOLDOWN_MS = 60_000;
/** Sends of one session, by all channels. */
export const SENDS_MAX = 5;
/** Wrong codes of one session: after these no code is taken any more. */
export const FAILURES_MAX = 5;
