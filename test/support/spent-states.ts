/** SQLSTATEs by which PostgreSQL says that it ends a session: it stops, is told to, or a transaction idles or takes too long. */
export const ENDED_STATES = ['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'];

/**
 * These, and those of a backend that lacks what it works with, or is in conflict with others: whoever meets one goes on over another
 * connection, also where a pooler keeps this one open.
 */
export const SPENT_STATES = ['53100', '53200', '58030', '40001', '40P01', ...ENDED_STATES];
