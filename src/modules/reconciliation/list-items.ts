import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type ItemFilter, selectImports, selectItems } from './list-store.ts';
import type { Rail } from './rails.ts';
import { openSaid, type Said } from './said.ts';
import type { ImportRow, ItemParts, ItemRow } from './store.ts';

/** A line of a bank, a posting of ours, or both, as the operator sees it. */
export interface ItemView extends Omit<ItemRow, 'saidSealed' | 'lineDigest'>, Said {
  /** The posting's reference. */
  ourReference: string | undefined;
}

/** Lines and postings, of all files or one, the newest first. */
export async function listItems(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { limit, offset, cursor, isUncounted, ...filter }: ItemFilter & PageRequest<string>,
): Promise<Listed<ItemView, string>> {
  const { items, ...found } = await selectItems(db, filter, { limit, offset, cursor, isUncounted });
  return { items: items.map((parts) => toItemView(keyring, parts)), ...found };
}

export const toItemView = (keyring: Keyring, { row, ourReference }: ItemParts): ItemView => {
  const { saidSealed: _sealed, lineDigest: _known, ...shown } = row;
  return { ...shown, ...openSaid(keyring, row), ourReference: ourReference ?? undefined };
};

/** Files that were imported, the newest first. */
export async function listImports(
  { db }: { db: Executor },
  { limit, offset, cursor, ...filter }: { rail?: Rail | undefined } & PageRequest<string>,
): Promise<Listed<ImportRow, string>> {
  return selectImports(db, filter, { limit, offset, cursor });
}
