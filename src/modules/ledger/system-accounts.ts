import { type Currency, currencies } from './money.ts';

/** Our own accounts: where money enters and leaves the books, what is earned, and refunds that wait for their wallet. */
const kinds = ['CLEARING', 'FEE', 'COMMISSION', 'STAMP_DUTY', 'SUSPENSE'] as const;
export type SystemAccountKind = (typeof kinds)[number];

/** The id of one of our own accounts. `migrations/0010_built_in_rows.sql` makes them in this order. */
export const systemAccount = (kind: SystemAccountKind, currency: Currency): number =>
  kinds.indexOf(kind) * currencies.length + currencies.indexOf(currency) + 1;
