import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Snapshots } from '#lib/snapshots.ts';
import type { EntryPart } from '#modules/ledger';
import { hoursIn, type ReadSeal } from '#modules/seals';
import { ENTRY_COLUMNS, readEntry } from './entry-line.ts';
import { ACCOUNT_COLUMNS, addUp, digestLines } from './figures.ts';
import { openLines, syncDirectory } from './files.ts';
import { FILES, MANIFEST, type Manifest } from './manifest.ts';
import { accountNames, entryLines, transactionLines } from './store.ts';

/** One statement may take so long: an hour of the busiest day, or the sorting of what came before the first seal. */
const READ_MAX_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a part of the entries into a directory of its own, which is there only once all of it is on the disk. What an ended run has
 * left beside it is written anew.
 *
 * @param seals of the hours and days of the part, which are written with it
 */
export async function writeArchive(
  { snapshots, now }: { snapshots: Snapshots; now: Date },
  directory: string,
  { part, startsAt, endsAt }: EntryPart,
  seals: readonly ReadSeal[],
  progress: (entries: number) => void | Promise<void>,
): Promise<void> {
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const path = (name: string): string => join(partial, name);
  /** A snapshot for each hour: none is held for as long as the whole takes, which would hold up vacuum. */
  const each = (query: string, use: (line: string) => Promise<void>): Promise<void> =>
    snapshots.read(READ_MAX_MS, async (reader) => {
      for await (const { line } of reader.stream<{ line: string }>(query)) await use(line);
    });
  const adding = addUp();
  let entries = 0;
  const [entryFile, transactionFile] = [openLines(path(FILES.entries)), openLines(path(FILES.transactions))];
  await entryFile.write(ENTRY_COLUMNS);
  for (const hour of hoursIn(seals)) {
    const [from, to] = [hour.startsAt === null ? null : new Date(hour.startsAt), new Date(hour.endsAt)];
    await each(entryLines(part, from, to), async (line) => {
      adding.add(readEntry(line));
      entries += 1;
      await entryFile.write(line);
    });
    await each(transactionLines(part, from, to), (line) => transactionFile.write(line));
    await progress(entries);
  }
  const figures = adding.lines();
  const [accountFile, sealFile] = [openLines(path(FILES.accounts)), openLines(path(FILES.seals))];
  await accountFile.write(ACCOUNT_COLUMNS);
  let at = 0;
  await each(accountNames(part), async (name) => {
    await accountFile.write(`${figures[at]},${name}`);
    at += 1;
  });
  for (const { jws } of seals) await sealFile.write(jws);
  const files = {
    entries: await entryFile.end(),
    accounts: await accountFile.end(),
    transactions: await transactionFile.end(),
    seals: await sealFile.end(),
  };
  const manifest: Manifest = {
    format: 'paytag-archive/1',
    part,
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt.toISOString(),
    writtenAt: now.toISOString(),
    entries,
    accounts: figures.length,
    carriedDigest: digestLines(figures),
    files,
  };
  await writeFile(path(MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await syncDirectory(partial);
  await rename(partial, directory);
  await syncDirectory(dirname(directory));
}
