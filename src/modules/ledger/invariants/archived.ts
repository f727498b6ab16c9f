/** Nothing dated before this moment is among the entries any more, in SQL: what is older is told from what is carried. */
export const ARCHIVED_UNTIL = '(select ledger.archived_until())';
