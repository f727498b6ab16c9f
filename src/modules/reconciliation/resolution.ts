/** What an operator may do with what is open: pair it, wait for its other side, report it, or post the difference. */
export const resolutions = ['MATCH', 'TIMING', 'BOOK', 'POST'] as const;
