import type { Minor } from '#modules/ledger';

/** Who paid, as far as the rails know. */
export interface Sender {
  name?: string | undefined;
  paytag?: string | undefined;
  /** What kind of sender or instrument, in the rails' words. */
  type?: string | undefined;
}

/** What rails report of every payment. */
export interface Report {
  /** The operator who passes the report on. */
  actor: string;
  amount: Minor;
  reference: string;
  sender: Sender;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Why it is reported by hand. It goes to the audit log only. */
  reason?: string | undefined;
  /** The rail does not say the rest the same each time, or somebody else says it: target and amount alone tell a repeated report. */
  isKnownByTarget?: true | undefined;
}
