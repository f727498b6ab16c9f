import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { WorkLong } from '#lib/postgres/long-work.ts';
import { openDocuments } from '#modules/keys';
import { type Contents, digestOf, hoursOf, SEAL_TYPE, SEALED, type Seal, seal } from './seal.ts';
import { everySeal, type SealRow, selectContents, selectHours } from './seal-store.ts';

type Deps = { workLong: WorkLong; keyring: Keyring };

/** A seal has the time of the database, a revocation that of a server. */
const CLOCKS_APART_MS = 60_000;

/** A difference from the sealed state. */
export interface Finding {
  /** The number of the seal; undefined for a line of the copy that is not a seal. */
  seal: number | undefined;
  /** The period in question, as `2026-11-22T09:00:00.000Z to 2026-11-22T10:00:00.000Z`. */
  period: string | undefined;
  what: string;
}

export interface Verdict {
  ok: boolean;
  /** How many seals are in the copy, and how many in the database. */
  copied: number;
  found: number;
  findings: Finding[];
}

interface Read {
  readonly says: Seal;
  readonly revokedAt: Date | null;
}

interface Copied {
  readonly jws: string;
  readonly says: Seal;
}

/**
 * Compares the books with their seals, and the seals with a copy from elsewhere: every signature, the chain without a gap, each
 * seal of the copy, and the recomputed contents of each hour. A seal in the copy takes precedence over the database's. Finds every
 * change, insert and delete in a sealed hour, even by the owner of the database; rows newer than the last seal are not covered.
 *
 * @param copy the kept seals, in any order; empty: the database alone, whose owner could have rewritten it
 */
export const verifySeals = (deps: Deps, copy: readonly string[]): Promise<Verdict> =>
  deps.workLong((db) => verifyOver({ db, keyring: deps.keyring }, copy));

async function verifyOver(deps: { db: Database; keyring: Keyring }, copy: readonly string[]): Promise<Verdict> {
  const open = await openDocuments(deps, SEAL_TYPE);
  const read = async (jws: string): Promise<Read | undefined> => {
    const opened = await open(jws);
    const { data } = seal.safeParse(opened?.says);
    return data && { says: data, revokedAt: opened?.revokedAt ?? null };
  };
  const findings: Finding[] = [];
  const find = (of: Pick<Seal, 'number' | 'startsAt' | 'endsAt'> | undefined, what: string): void => {
    findings.push({ seal: of?.number, period: of && `${of.startsAt ?? 'the beginning'} to ${of.endsAt}`, what });
  };

  const copied = new Map<number, Copied>();
  for (const [index, jws] of copy.entries()) {
    const { says } = (await read(jws)) ?? {};
    const twin = says && copied.get(says.number);
    if (says === undefined) find(undefined, `seal ${index + 1} of the copy was not signed by this installation`);
    else if (twin !== undefined && twin.jws !== jws) find(says, 'the copy has two different seals of this number');
    else copied.set(says.number, { jws, says });
  }

  let before: { digest: string; hourEnd: number } | undefined;
  /** Signed by a key that was revoked later; no later seal has vouched for them so far. */
  let ofRevoked: Pick<Seal, 'number' | 'startsAt' | 'endsAt'>[] = [];
  let number = 1;
  let found = 0;
  for await (const row of everySeal(deps.db, 0)) {
    found += 1;
    const kept = copied.get(row.number);
    copied.delete(row.number);
    const signed = await read(row.jws);
    const own = signed?.says;
    const place = {
      number: row.number,
      startsAt: row.startsAt?.toISOString() ?? null,
      endsAt: row.endsAt.toISOString(),
    };
    if (row.number !== number) find(place, `the chain has a gap: seal ${number} should be here`);
    if (own === undefined) find(place, 'was not signed by this installation');
    else if (!agrees(row, own)) find(place, 'its row says other than its signed text');
    if (own !== undefined && own.previous !== (before?.digest ?? null)) {
      find(place, 'the chain is broken: it does not follow from the seal before it');
    }
    if (row.period === 'HOUR' && before && row.startsAt?.getTime() !== before.hourEnd) {
      find(place, 'the chain is broken: it does not begin where the hour before it ends');
    }
    if (signed !== undefined && isSignedLate(signed)) find(place, 'was signed by a key after that had been revoked');
    else if (signed?.revokedAt != null && kept?.jws !== row.jws) ofRevoked.push(place);
    else if (own !== undefined && (kept !== undefined || own.previous === before?.digest)) ofRevoked = [];
    if (kept !== undefined && kept.jws !== row.jws) find(place, 'is not the seal of the copy');
    const counts = kept?.says ?? own;
    if (counts) for (const what of await differences(deps.db, counts)) find(counts, what);
    before = {
      digest: digestOf(row.jws),
      hourEnd: row.period === 'HOUR' ? row.endsAt.getTime() : (before?.hourEnd ?? 0),
    };
    number = row.number + 1;
  }
  for (const place of ofRevoked) {
    find(place, 'its key was revoked, and neither the copy nor a later seal by another key vouches for it');
  }
  for (const { says } of [...copied.values()].toSorted((a, b) => a.says.number - b.says.number)) {
    find(says, 'is in the copy, and not in the database');
    for (const what of await differences(deps.db, says)) find(says, what);
  }
  return { ok: findings.length === 0, copied: copy.length, found, findings };
}

/** True when its own date is after the revocation of its key. */
const isSignedLate = ({ says, revokedAt }: Read): boolean =>
  revokedAt !== null && Date.parse(says.sealedAt) > revokedAt.getTime() + CLOCKS_APART_MS;

const agrees = (row: SealRow, says: Seal): boolean =>
  row.number === says.number &&
  row.period === says.period &&
  (row.startsAt?.toISOString() ?? null) === says.startsAt &&
  row.endsAt.toISOString() === says.endsAt;

/** The differences between the database now and a seal. */
async function differences(db: Database, says: Seal): Promise<string[]> {
  const startsAt = says.startsAt === null ? null : new Date(says.startsAt);
  const endsAt = new Date(says.endsAt);
  if (says.period === 'DAY') {
    const hours = hoursOf(await selectHours(db, startsAt ?? new Date(0), endsAt));
    return hours.digest === says.hours.digest ? [] : ['the hours of this day are not those that were sealed'];
  }
  const now: Contents = await selectContents(db, { startsAt, endsAt });
  return SEALED.filter((name) => now[name].digest !== says.contents[name].digest).map((name) =>
    now[name].rows === says.contents[name].rows
      ? `${name} changed: still ${now[name].rows} rows, with other contents`
      : `${name} changed: ${says.contents[name].rows} rows were sealed, ${now[name].rows} are there`,
  );
}
