/** A defect that is planted in the books. */
export interface Plant {
  what: string;
  /** Plants it. The rows that it returns must be named. */
  statement: string;
  /** Off, unless said otherwise: what is planted is what somebody with all rights can do. */
  triggers?: 'on';
  /** The invariants that see it, and no others do. */
  seenBy: readonly string[];
  /** Those of them that see it only when everything is checked: nothing about the row says that it is new. */
  missedByDay?: readonly string[];
}
