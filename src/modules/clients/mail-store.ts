import type { RoutingFacts, Vouched } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { letter } from './tables.ts';

type Row = typeof letter.$inferSelect;
export type MailRow = Omit<Row, 'dueAt' | 'sentAt'>;

const COLUMNS = `id, owner_kind as "ownerKind", owner_id as "ownerId", kind, facts, recipient_sealed as "recipientSealed",
  address_digest as "addressDigest", happened_at as "happenedAt", attempts, link_until as "linkUntil",
  token_digest as "tokenDigest", secret_sealed as "secretSealed", opened_at as "openedAt", cause, routing_mac as "routingMac"`;

type NewMail = Omit<MailRow, 'attempts' | 'tokenDigest' | 'openedAt' | 'routingMac'>;

/** Stores a mail that is due at once. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  await add(tx, [
    mail.id,
    mail.ownerKind,
    mail.ownerId,
    mail.kind,
    JSON.stringify(mail.facts),
    mail.recipientSealed,
    mail.addressDigest,
    mail.happenedAt,
    mail.linkUntil,
    mail.secretSealed,
    mail.cause,
  ]);
}

const add = preparedText(
  'letters.add',
  `insert into letters.letter (id, owner_kind, owner_id, kind, facts, recipient_sealed, address_digest, happened_at, due_at,
     link_until, secret_sealed, cause)
   values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $8, $9, $10, $11)`,
  { writes: true },
);

/** An open request for proof of this address since a moment: mailed or due, not used, not expired. */
export const selectOpenProof = preparedText(
  'letters.open-proof',
  `select id from letters.letter where owner_id = $1 and happened_at > $3 and address_digest = $2 and kind = 'CONTACT_PROOF'
     and opened_at is null and link_until > $4 and (due_at is not null or sent_at is not null) limit 1`,
);

/** The mail that an approval request caused. */
export async function selectByCause(tx: Tx, cause: string): Promise<MailRow | undefined> {
  const [found] = await byCause(tx, [cause]);
  return found;
}

const byCause = preparedText<MailRow>('letters.by-cause', `select ${COLUMNS} from letters.letter where cause = $1`);

/** Claims due mails for the length of the lease. */
export const claimDue = preparedText<MailRow>(
  'letters.claim',
  `update letters.letter set attempts = attempts + 1, due_at = $2
     where id in (select id from letters.letter where due_at <= $1 order by due_at limit $3 for update skip locked)
     returning ${COLUMNS}`,
  { writes: true },
);

/** The facts of a link: what its token opens, and until when. */
export const TOKEN = {
  table: 'letters.letter',
  columns: ['id', 'ownerKind', 'ownerId', 'kind', 'addressDigest', 'linkUntil', 'tokenDigest'],
  where: 'token_digest is not null',
} as const satisfies RoutingFacts;

/** Replaces the token of a mail's link, unless the link was used or ended in the meantime. */
export const setToken = preparedText(
  'letters.token',
  'update letters.letter set token_digest = $2, routing_mac = $3 where id = $1 and opened_at is null and link_until = $4',
  { writes: true },
);

/** Schedules a claimed mail for a retry, unless its link has ended in the meantime. */
export const postpone = preparedText(
  'letters.postpone',
  'update letters.letter set due_at = $2 where id = $1 and recipient_sealed is not null',
  { writes: true },
);

/** Reschedules a claimed mail without counting the attempt, unless its link has ended in the meantime. */
export const hold = preparedText(
  'letters.hold',
  'update letters.letter set due_at = $2, attempts = attempts - 1 where id = $1 and recipient_sealed is not null',
  { writes: true },
);

/** Ends a claimed mail, and drops its address. A null moment: it failed. */
export const endMail = preparedText(
  'letters.end',
  'update letters.letter set due_at = null, recipient_sealed = null, sent_at = $2 where id = $1',
  { writes: true },
);

/** The mail whose link has a token. With `locked`: locked until the transaction ends. */
export async function selectByToken(db: Executor, digest: Buffer, lock?: 'locked'): Promise<MailRow | undefined> {
  const [found] = await (lock === undefined ? byToken : lockByToken)(db, [digest]);
  return found;
}

const byToken = preparedText<MailRow>(
  'letters.by-token',
  `select ${COLUMNS} from letters.letter where token_digest = $1`,
);
const lockByToken = preparedText<MailRow>(
  'letters.lock-by-token',
  `select ${COLUMNS} from letters.letter where token_digest = $1 for update`,
);

/** Marks a link as used, and drops its secret. */
export const setOpened = preparedText(
  'letters.opened',
  'update letters.letter set opened_at = $2, secret_sealed = null where id = $1',
  { writes: true },
);

/** Stores the proven address of an owner. */
export const setProven = preparedText(
  'letters.proven',
  `insert into letters.proven_contact (owner_id, address_digest, proven_at, routing_mac) values ($1, $2, $3, $4)
   on conflict (owner_id) do update set address_digest = excluded.address_digest, proven_at = excluded.proven_at,
     routing_mac = excluded.routing_mac`,
  { writes: true },
);

/** The facts of a proven address: secrets go there. */
export const PROVEN = {
  table: 'letters.proven_contact',
  columns: ['ownerId', 'addressDigest', 'provenAt'],
} as const satisfies RoutingFacts;

/** The proven address of an owner. */
export const selectProven = preparedText<Vouched<typeof PROVEN> & { addressDigest: Buffer }>(
  'letters.select-proven',
  `select owner_id as "ownerId", address_digest as "addressDigest", proven_at as "provenAt", routing_mac as "routingMac"
     from letters.proven_contact where owner_id = $1`,
);

/** Ends every unused link of an owner, drops its secret, and cancels its mail. */
export const endLinks = preparedText(
  'letters.end-links',
  `update letters.letter set link_until = $2, token_digest = null, secret_sealed = null, due_at = null, recipient_sealed = null
    where owner_id = $1 and link_until > $2 and opened_at is null`,
  { writes: true },
);

/** Deletes the proven address of an owner. */
export const deleteProven = preparedText(
  'letters.forget-proven',
  'delete from letters.proven_contact where owner_id = $1',
  {
    writes: true,
  },
);
