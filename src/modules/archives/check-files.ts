import { join } from 'node:path';
import type { SealedHour } from '#modules/seals';
import { digestEntries, ENTRY_COLUMNS, readEntry } from './entry-line.ts';
import { ACCOUNT_COLUMNS, addUp, digestLines } from './figures.ts';
import { digestFile, readLines } from './files.ts';
import { FILES, type Manifest } from './manifest.ts';

/**
 * Reads the files of an archive back and holds them against its manifest and against sealed hours: every byte by its digest, every
 * entry by the seal of its hour, and what is carried of each account by its entries.
 *
 * @param hours those of the archive, without a gap
 * @returns what is not as it should be; nothing when all is
 */
export async function checkFiles(
  directory: string,
  manifest: Manifest,
  hours: readonly SealedHour[],
): Promise<string[]> {
  for (const [kind, name] of Object.entries(FILES)) {
    const said = manifest.files[kind as keyof typeof FILES];
    const { bytes, sha256 } = await digestFile(join(directory, name));
    if (bytes !== said.bytes || sha256 !== said.sha256)
      return [`${name} is not the file of the manifest: it was changed or cut`];
  }
  return [...gapsIn(manifest, hours), ...(await checkEntries(directory, manifest, hours))];
}

function gapsIn({ entries, startsAt, endsAt }: Manifest, hours: readonly SealedHour[]): string[] {
  const gaps: string[] = [];
  let ended = startsAt;
  for (const { startsAt: starts, endsAt: ends } of hours) {
    if (starts !== null && starts !== ended) gaps.push(`no seal covers ${ended ?? 'the beginning'} to ${starts}`);
    ended = ends;
  }
  if (ended !== endsAt && entries > 0) gaps.push(`no seal covers ${ended ?? 'the beginning'} to ${endsAt}`);
  return gaps;
}

async function checkEntries(directory: string, manifest: Manifest, hours: readonly SealedHour[]): Promise<string[]> {
  const wrong: string[] = [];
  const adding = addUp();
  let [at, rows, isHead] = [0, 0, true];
  let digest = digestEntries();
  const endHour = (): void => {
    const hour = hours[at];
    const found = digest.end();
    if (hour !== undefined && found.digest !== hour.entries.digest) {
      wrong.push(
        `seal ${hour.number} (${hour.startsAt ?? 'the beginning'} to ${hour.endsAt}): ${hour.entries.rows} entries were sealed, and the ${found.rows} of the archive are not those`,
      );
    }
    at += 1;
    digest = digestEntries();
  };
  for await (const line of readLines(join(directory, FILES.entries))) {
    if (isHead) {
      if (line !== ENTRY_COLUMNS) return [`${FILES.entries} does not begin with its columns`];
      isHead = false;
      continue;
    }
    const entry = readEntry(line);
    while (at < hours.length && entry.createdAt >= Date.parse(hours[at]?.endsAt ?? '')) endHour();
    if (at === hours.length) return [...wrong, `${FILES.entries} has entries that no seal covers`];
    digest.add(entry);
    adding.add(entry);
    rows += 1;
  }
  while (at < hours.length) endHour();
  if (rows !== manifest.entries) wrong.push(`the manifest says ${manifest.entries} entries, and there are ${rows}`);
  return [...wrong, ...adding.findings(), ...(await checkAccounts(directory, manifest, adding.lines()))];
}

/** The figures of accounts, by the entries and by the digest of what the database carries. */
async function checkAccounts(directory: string, manifest: Manifest, lines: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  if (digestLines(lines) !== manifest.carriedDigest || lines.length !== manifest.accounts) {
    wrong.push('what the manifest says is carried does not come to its entries');
  }
  let at = -1;
  for await (const line of readLines(join(directory, FILES.accounts))) {
    if (at === -1 ? line !== ACCOUNT_COLUMNS : !line.startsWith(`${lines[at]},`)) {
      return [...wrong, `${FILES.accounts}: line ${at + 2} does not come to the entries`];
    }
    at += 1;
  }
  return at === lines.length ? wrong : [...wrong, `${FILES.accounts} has ${at} accounts of ${lines.length}`];
}
