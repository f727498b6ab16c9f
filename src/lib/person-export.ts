import type { Keyring } from './crypto/keyring.ts';
import type { Executor } from './database.ts';

/** What a room keeps of a customer, opened: without secrets, and without what secrets are recognised by. */
export type ExportOf = (
  sources: { db: Executor; keyring: Keyring },
  customerId: string,
) => Promise<Record<string, unknown> | readonly Record<string, unknown>[]>;

/** The most of one kind in a document, newest first: whoever has more is told how many there are. */
export const EXPORTED_MAX = 10_000;

/** The newest of many, and whether these are all. */
export const newestOf = <Item>(items: readonly Item[], count: number) => ({
  count,
  isComplete: count <= items.length,
  items,
});
