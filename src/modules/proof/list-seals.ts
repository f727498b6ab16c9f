import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type PublishedSeal, published } from './seal-due.ts';
import { everySeal, type SealRow, selectLast, selectSeals } from './seal-store.ts';

/** Seals, newest first. `count` is of all. */
export async function listSeals(
  db: Database,
  query: { period?: SealRow['period'] | undefined } & PageRequest<number>,
): Promise<Listed<PublishedSeal, number>> {
  const { items, ...found } = await selectSeals(db, query);
  return { items: items.map(published), ...found };
}

/** Every seal from a number on, oldest first: for a copy to be kept elsewhere. */
export async function* exportSeals(db: Database, from: number): AsyncGenerator<PublishedSeal> {
  for await (const row of everySeal(db, from)) yield published(row);
}

/** How far the books are sealed: the number of the last seal, and the end of the last hour. Undefined before the first. */
export async function sealedUntil(db: Database): Promise<{ number: number; endsAt: Date } | undefined> {
  const last = await selectLast(db);
  return last && { number: last.number, endsAt: last.endsAt };
}
