import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { EraseOf, ExportOf, OfCustomer, Room, SqlInvariant } from '#lib/room.ts';
import { DAY_MS, deletes, type Retention } from '#lib/room.ts';
import { partner } from '#modules/clients';
import { findRegistration } from '#modules/customers';
import { openValue, sealedColumns } from './creation-session.ts';
import { routingFacts } from './store.ts';
import { creationSession } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'onboarding.creation_session',
    kept: 'a day after it expired',
    why: 'a late answer is refused as late',
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
 * not those of the owner whom a BVN was handed back to.
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

/** What must be true of the rows of this room. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'freezes_are_audited',
    promise: 'a customer is frozen exactly when the last audited freeze or release of them says so',
    offenders: () => `
      with change as (
        select target, (array_agg(after ->> 'status' order by id desc))[1] as status
          from audit.entry where action in ('customer.freeze', 'customer.release') group by target)
      select c.id as customer_id, c.frozen_at, x.status as audited from customers.customer c
        left join change x on x.target = c.id::text
        where (c.frozen_at is not null) <> (coalesce(x.status, 'ACTIVE') = 'FROZEN')`,
  },
  {
    name: 'handed_back_bvns_are_audited',
    promise: 'a BVN was handed back exactly when the audit log says so, and the PayTag that had it is not active',
    offenders: () => `
      select c.id as customer_id, c.bvn_handed_back_at, t.status as tag from customers.customer c
        join tags.tag t on t.id = c.tag_id
        where (c.bvn_handed_back_at is not null) <> exists (
                select from audit.entry e where e.action = 'customer.hand-back-bvn' and e.target = c.id::text)
          or c.bvn_handed_back_at is not null and t.status = 'ACTIVE'`,
  },
  {
    name: 'frozen_customers_are_shut_out',
    promise:
      'a frozen customer has no session that lives, and a wallet that pays only where the operator has opened it since',
    offenders: () => `
      select c.id as customer_id, 'session' as what, s.id::text as which from customers.customer c
        join sessions.session s on s.customer_id = c.id
        where c.frozen_at is not null and s.revoked_at is null and s.expires_at > clock_timestamp()
      union all
      select c.id, 'wallet', w.reference from customers.customer c
        join wallets.partner_wallet w on w.customer_id = c.id and w.status_before_freeze is not null and w.revoked_at is null
        join ledger.account a on a.id = w.account_id
        where c.frozen_at is null or a.status not in ('PND', 'Blocked')`,
  },
  {
    name: 'erasures_are_audited',
    promise: 'a customer was erased exactly when the audit log says so',
    offenders: () => `
      select c.id as customer_id, c.erased_at, x.at as audited_at from customers.customer c
        full join (select target, min(at) as at from audit.entry where action = 'customer.erase' group by target) x
          on x.target = c.id::text
        where (c.erased_at is null) <> (x.at is null)`,
  },
  {
    name: 'erased_customers_are_gone',
    promise: 'an erased customer has no live wallet, and nothing by which they are found or log in',
    offenders: () => `
      select c.id as customer_id, w.reference as wallet from customers.customer c
        left join wallets.partner_wallet w on w.customer_id = c.id and w.revoked_at is null
        where c.erased_at is not null and (w.id is not null
          or num_nonnulls(c.bvn_index, c.phone_index, c.email_index, c.password_hash) > 0)`,
  },
];

export const room: Room = {
  retention,
  sealedColumns,
  routingFacts,
  exports: { onboarding: exportOf },
  erase: eraseOf,
  invariants: () => invariants,
};
