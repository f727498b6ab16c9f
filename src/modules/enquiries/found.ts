export const foundKinds = [
  'APPLICATION',
  'APPROVAL',
  'BANK_FILE',
  'CUSTOMER',
  'DELIVERY',
  'DISPUTE',
  'MESSAGE',
  'PARTNER',
  'PAYOUT',
  'REQUEST',
  'TAG',
  'TERMINAL',
  'TRANSACTION',
  'WALLET',
] as const;

/** Something that a search has found. */
export interface Found {
  kind: (typeof foundKinds)[number];
  /** What it is read by: its id, reference, handle or serial number. */
  id: string;
  /** Of a transaction, whose id alone does not lead to it. */
  reference?: string;
  /** What tells it from others. Nothing of it says who somebody is. */
  title: string;
}
