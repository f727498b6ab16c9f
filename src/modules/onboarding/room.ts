import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { EraseOf, ExportOf, OfCustomer, Room } from '#lib/room.ts';
import { DAY_MS, deletes, type Retention } from '#lib/room.ts';
import { findRegistration } from '#modules/customers';
import { partner } from '#modules/partners';
import { openValue, sealedColumns } from './creation.ts';
import { routingFacts } from './store.ts';
import { creationSession } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'onboarding.creation_session',
    kept: 'a day after it expired',
    why: 'a late answer is told that it is late',
    forget: { rows: deletes({ table: 'onboarding.creation_session', by: 'expires_at', afterMs: DAY_MS }) },
  },
];

/** The onboardings, password resets and changes of a contact that the customer began, as long as they are kept. */
const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  return (await selectOfPerson(db, keyring, customerId)).map(({ row, partner: at }) => ({
    kind: row.kind,
    partner: at,
    status: row.status,
    bvn: openValue(keyring, row, 'bvn'),
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    dateOfBirth: openValue(keyring, row, 'dateOfBirth'),
    phone: openValue(keyring, row, 'phone'),
    email: openValue(keyring, row, 'email'),
    paytag: row.paytag,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  }));
};

/**
 * The sessions of a customer: those that name them, and creations with their BVN, which begin before there is a customer;
 * not those of whoever a BVN was handed back to.
 */
async function selectOfPerson(db: Executor, keyring: Keyring, customerId: string) {
  const bvn = (await findRegistration(db, keyring, customerId))?.bvn;
  const found = await (bvn === undefined ? theirs : theirsOrAnyones)(db, { customerId });
  return found.filter(
    ({ row }) => row.customerId !== null || (row.bvnSealed !== null && openValue(keyring, row, 'bvn') === bvn),
  );
}

const selectBegun = (name: string, orElse?: SQL) =>
  prepared(name, (db, given: OfCustomer) =>
    db
      .select({ row: creationSession, partner: { id: partner.id, name: partner.name } })
      .from(creationSession)
      .innerJoin(partner, eq(partner.id, creationSession.partnerId))
      .where(or(eq(creationSession.customerId, given.customerId), orElse))
      .orderBy(desc(creationSession.createdAt)),
  );

const theirs = selectBegun('onboarding.export');
const theirsOrAnyones = selectBegun(
  'onboarding.export-with-anyones',
  and(isNull(creationSession.customerId), isNotNull(creationSession.bvnSealed)),
);

/** What the customer began, whether it ended or not. */
const eraseOf: EraseOf = async ({ tx, keyring }, customerId) => {
  const begun = await selectOfPerson(tx, keyring, customerId);
  await erase(tx, { digests: begun.map(({ row }) => row.digest) });
};

const erase = prepared('onboarding.erase', (db, given: Given<{ digests: readonly Buffer[] }>) =>
  db.delete(creationSession).where(sql`${creationSession.digest} = any(${given.digests})`),
);

/** What of a partner's onboarding was brought forward. */
export interface ForwardedSessions {
  sessions: number;
  /** One-time passwords among them that were sent and not given yet. */
  codes: number;
}

const forward = preparedText<{ code: boolean }>(
  'onboarding.bring-forward',
  `update onboarding.creation_session s
      set expires_at = expires_at - make_interval(secs => $2),
          otp_expires_at = otp_expires_at - make_interval(secs => $2),
          otp_sent_at = coalesce((
            select jsonb_object_agg(key, to_char((value::timestamptz - make_interval(secs => $2)) at time zone 'utc',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from jsonb_each_text(s.otp_sent_at)), '{}')
    where partner_id = $1 and status <> 'COMPLETED' and expires_at > $3
   returning otp_digest is not null as code`,
  { writes: true },
);

/**
 * Lets a time pass for the sessions that a partner's customers have open, creations and resets alike: for when they and
 * their codes expire, and for when another code may be sent. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds, now }: { partnerId: string; seconds: number; now: Date },
): Promise<ForwardedSessions> {
  const moved = await forward(tx, [partnerId, seconds, now]);
  return { sessions: moved.length, codes: moved.filter(({ code }) => code).length };
}

export const room: Room = { retention, sealedColumns, routingFacts, exports: { onboarding: exportOf }, erase: eraseOf };
