/** No token of any kind lives longer, and the configuration allows no longer life. */
export const LIFETIME_MAX_S = 24 * 60 * 60;
/**
 * How far the clocks of two servers may be apart. It is also longer than a process can go on signing with a key that another
 * process has retired, which is the age of its keys at most.
 */
export const CLOCK_TOLERANCE_S = 5;

/** When the last token that a key can have signed has expired: milliseconds since 1970. Infinite while it signs. */
export const verifiesUntilMs = ({ retiredAt }: { retiredAt: Date | null }): number =>
  retiredAt === null ? Number.POSITIVE_INFINITY : retiredAt.getTime() + (LIFETIME_MAX_S + CLOCK_TOLERANCE_S) * 1000;
