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

/** Rows of the rich books, each as a query of its id. */
export const WALLET = `(select max(id) from ledger.account where kind = 'WALLET' and posted - suspended > 100)`;
export const FLOAT = `(select max(id) from ledger.account where kind = 'FLOAT' and posted > 100)`;
export const ours = (kind: string): string =>
  `(select id from ledger.account where kind = '${kind}' and currency = 'NGN')`;
/** Of its type the newest transaction that moved money. */
export const newest = (type: string): string =>
  `(select max(id) from ledger.transaction where type = '${type}' and status = 'Successful')`;
/** The transaction with a reference of the partner that did everything to its wallet. */
export const named = (reference: string): string =>
  `(select max(id) from ledger.transaction where reference = '${reference}')`;
/** The event of the newest movement of a wallet. */
export const LAST_TOLD = `(select max(v.id::text)::uuid from outbox.event v where v.event = 'wallet.credited')`;
