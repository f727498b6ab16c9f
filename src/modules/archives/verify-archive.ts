import { join } from 'node:path';
import { follows, hoursIn, hoursOfDay, type ReadSeal, readSealAlone } from '#modules/seals';
import { checkFiles } from './check-files.ts';
import { readLines } from './files.ts';
import { FILES, type Manifest, readManifest } from './manifest.ts';

/** What a stored archive proves. */
export interface ArchiveVerdict {
  ok: boolean;
  manifest: Manifest;
  /** How many seals of hours it has. */
  hours: number;
  /** By which keys they were signed. */
  kids: string[];
  findings: string[];
}

/**
 * Proves an archive without a database: its files by its manifest, each entry by the seal of its hour, and each seal by its
 * signature, by the seal before it, and by a copy that was kept elsewhere: the hour itself, or its day.
 *
 * @param copy the seals that were published, in any order
 * @param kids the ids of keys that are known to be ours; absent: any key, so that the copy alone tells whose they are
 * @throws Error for a directory that is no archive
 */
export async function verifyArchive(
  directory: string,
  copy: readonly string[],
  kids?: ReadonlySet<string>,
): Promise<ArchiveVerdict> {
  const { manifest } = await readManifest(directory);
  const findings: string[] = [];
  const seals: ReadSeal[] = [];
  const signers = new Set<string>();
  for await (const jws of readLines(join(directory, FILES.seals))) {
    const read = await readSealAlone(jws);
    const before = seals.at(-1);
    if (read === undefined) {
      findings.push(`${FILES.seals}: line ${seals.length + 1} is no seal, or was changed`);
      return { ok: false, manifest, hours: 0, kids: [...signers], findings };
    }
    if (kids !== undefined && !kids.has(read.kid))
      findings.push(`seal ${read.says.number} was signed by a key that is not given`);
    if (before !== undefined && !follows(read, before))
      findings.push(`seal ${read.says.number} does not follow from the one before it`);
    signers.add(read.kid);
    seals.push(read);
  }
  const vouched = new Set(copy);
  const days = seals.filter(({ jws, says }) => says.period === 'DAY' && vouched.has(jws));
  for (const day of days) for (const { jws } of hoursOfDay(day, seals) ?? []) vouched.add(jws);
  for (const { jws, says } of seals) {
    if (says.period === 'HOUR' && !vouched.has(jws))
      findings.push(`seal ${says.number} (to ${says.endsAt}) is not in the copy`);
  }
  const hours = hoursIn(seals);
  findings.push(...(await checkFiles(directory, manifest, hours)));
  return { ok: findings.length === 0, manifest, hours: hours.length, kids: [...signers], findings };
}
