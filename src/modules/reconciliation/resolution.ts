/** What an operator may do with an item: pair it, wait for its other side, report it, post the difference, or call it another one than it was taken for. */
export const resolutions = ['MATCH', 'TIMING', 'BOOK', 'POST', 'DISTINCT'] as const;
