import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Given } from '#lib/postgres/prepared.ts';
import type { Keyring } from './crypto/keyring.ts';
import type { SecurityLog } from './security-events.ts';

/** What a room keeps of a customer, opened: without secrets, and without what secrets are recognised by. */
export type ExportOf = (
  sources: { db: Executor; keyring: Keyring; securityLog: SecurityLog },
  customerId: string,
) => Promise<Record<string, unknown> | readonly Record<string, unknown>[]>;

/** Deletes what a room keeps of a customer and the books do not need. Called with the customer locked, and before their own record is erased. */
export type EraseOf = (sources: { tx: Tx; keyring: Keyring; now: Date }, customerId: string) => Promise<void>;

/** What a statement about a customer is given. */
export type OfCustomer = Given<{ customerId: string }>;

/** The most of one kind in a document, newest first: whoever has more is told how many there are. */
export const EXPORTED_MAX = 10_000;

/** The newest of many, and whether these are all. */
export const newestOf = <Item>(items: readonly Item[], count: number) => ({
  count,
  isComplete: count <= items.length,
  items,
});
