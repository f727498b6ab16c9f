import { type Currency, currencies } from './money.ts';

/** Our own accounts: where money enters and leaves the books, what is charged, and where pending refunds wait. */
const kinds = ['CLEARING', 'FEE', 'COMMISSION', 'STAMP_DUTY', 'SUSPENSE'] as const;
export type SystemAccountKind = (typeof kinds)[number];

/** The id of one of our own accounts. `migrations/0010_built_in_rows.sql` creates them in this order. */
export const systemAccount = (kind: SystemAccountKind, currency: Currency): number =>
  kinds.indexOf(kind) * currencies.length + currencies.indexOf(currency) + 1;
