import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { jose } from '#lib/jose.ts';
import { openDocuments } from '#modules/signing-keys';
import { digestOf, hoursOf, SEAL_TYPE, type Seal, seal } from './seal.ts';
import { selectEndedBetween } from './store.ts';

/** A seal, and what it says. */
export interface ReadSeal {
  readonly jws: string;
  readonly says: Seal;
}

/** What an hour says of the entries that are dated in it. */
export interface SealedHour {
  readonly number: number;
  /** Null for the first, which has all before its end. */
  readonly startsAt: string | null;
  readonly endsAt: string;
  readonly entries: { readonly rows: number; readonly digest: string };
}

/** The hours among seals, in their order. */
export const hoursIn = (seals: readonly ReadSeal[]): SealedHour[] =>
  seals.flatMap(({ says }) =>
    says.period === 'HOUR'
      ? [{ number: says.number, startsAt: says.startsAt, endsAt: says.endsAt, entries: says.contents.entries }]
      : [],
  );

/**
 * The seals of the hours and days that ended after one moment (null: ever) and until another, oldest first.
 *
 * @throws Error naming one that this installation did not sign
 */
export async function readSealsBetween(
  { db, keyring }: { db: Database; keyring: Keyring },
  { startsAt, endsAt }: { startsAt: Date | null; endsAt: Date },
): Promise<ReadSeal[]> {
  const open = await openDocuments({ db, keyring }, SEAL_TYPE);
  const read: ReadSeal[] = [];
  for (const { number, jws } of await selectEndedBetween(db, startsAt, endsAt)) {
    const { data } = seal.safeParse((await open(jws))?.says);
    if (data === undefined) throw new Error(`seal ${number} was not signed by this installation`);
    read.push({ jws, says: data });
  }
  return read;
}

/**
 * A seal by the public key that stands in it: undefined for a text that it did not sign. Whose key that is, only a copy or a list
 * of keys that was kept elsewhere tells.
 */
export async function readSealAlone(jws: string): Promise<(ReadSeal & { kid: string }) | undefined> {
  const { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, errors, importJWK } = jose();
  try {
    const { kid, jwk, typ } = decodeProtectedHeader(jws);
    if (typ !== SEAL_TYPE || jwk === undefined || (await calculateJwkThumbprint(jwk)) !== kid) return undefined;
    const { payload } = await compactVerify(jws, await importJWK(jwk, 'ES256'), { algorithms: ['ES256'] });
    const { data } = seal.safeParse(JSON.parse(Buffer.from(payload).toString()));
    return data && { jws, says: data, kid };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

/** The hours of the day that a seal of a day stands for, among seals; undefined where one of them is missing or another. */
export function hoursOfDay(day: ReadSeal, seals: readonly ReadSeal[]): ReadSeal[] | undefined {
  const { says } = day;
  if (says.period !== 'DAY') return undefined;
  const isOfDay = (ends: string): boolean => (says.startsAt === null || ends > says.startsAt) && ends <= says.endsAt;
  const hours = seals.filter((one) => one.says.period === 'HOUR' && isOfDay(one.says.endsAt));
  return hoursOf(hours.map(({ jws }) => jws)).digest === says.hours.digest ? hours : undefined;
}

/** Whether a seal names the one before it. */
export const follows = (one: ReadSeal, before: ReadSeal): boolean => one.says.previous === digestOf(before.jws);
