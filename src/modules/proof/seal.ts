import { z } from 'zod';
import { sha256 } from '#lib/crypto/digest.ts';

/** `typ` of a seal's JWS. */
export const SEAL_TYPE = 'paytag-seal+jws';

/** What is sealed, by its name in a seal. */
export const SEALED = ['entries', 'transactions', 'events', 'audit'] as const;

const content = z.object({ rows: z.int(), digest: z.string() });

/** How many rows of each kind a period has, and their SHA-256. */
export type Contents = z.output<typeof contents>;
const contents = z.object({ entries: content, transactions: content, events: content, audit: content });

const moment = z.iso.datetime();
const common = {
  /** The digest format. A new format needs a new number; old seals keep this one. */
  format: z.literal(1),
  number: z.int().positive(),
  startsAt: moment.nullable(),
  endsAt: moment,
  sealedAt: moment,
  /** SHA-256 of the previous JWS: so each seal vouches for all before it. Null in the first. */
  previous: z.string().nullable(),
};

/** The contents of a seal. The seal of a day covers those of its hours. */
export type Seal = z.output<typeof seal>;
export const seal = z.discriminatedUnion('period', [
  z.object({ ...common, period: z.literal('HOUR'), contents }),
  z.object({ ...common, period: z.literal('DAY'), hours: content }),
]);

/** The digest by which the next seal, and the seal of its day, refer to a seal. */
export const digestOf = (jws: string): string => sha256(jws).toString('hex');

/** The hours in the seal of a day. */
export const hoursOf = (hourly: readonly string[]): { rows: number; digest: string } => ({
  rows: hourly.length,
  digest: sha256(hourly.map(digestOf).join('\n')).toString('hex'),
});
