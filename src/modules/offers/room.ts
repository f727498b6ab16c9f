import { count, desc, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { Invariant, InvariantDeps, Retention, Room } from '#lib/room.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/room.ts';
import { tagsOfCustomer } from '#modules/tags';
import { routingFacts, selectParts } from './store.ts';
import { tagTransaction } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'tag_transactions.tag_transaction',
    kept: 'for ever',
    why: 'the books',
  },
];

const PAID = `p.status in ('Successful', 'Reversed')`;

/** The sides that get each event of a transaction. */
const PUBLISHED = `
  select 'TRANSACTION_INITIATED' as event, x.receiver_app_id as owner_id where x.hold_id is not null and x.status <> 'DECLINED'
  union select 'TRANSACTION_' || x.status, x.sender_app_id where x.status in ('ACCEPTED', 'REJECTED', 'EXPIRED')
  union select 'TRANSACTION_' || x.status, x.receiver_app_id where x.status in ('CANCELLED', 'EXPIRED')`;

/** What must be true of transactions between tags at any moment. */
const invariants = ({ isSample }: InvariantDeps): readonly Invariant[] => [
  {
    name: 'tag_transactions_are_their_money',
    promise:
      'a pending transaction holds its sender’s amount and fee, an accepted one moved them, and every other one released them',
    offenders: ({ moment }) => `
      select x.id, x.reference, x.status, x.amount, x.fee, h.state as hold, h.amount as held, p.id as posting_id, p.amount as posted
        from tag_transactions.tag_transaction x
        left join ledger.hold h on h.id = x.hold_id left join ledger.account a on a.id = h.account_id
        left join ledger.transaction p on p.id = x.posting_id left join ledger.account s on s.id = p.source_id
        left join ledger.account d on d.id = p.destination_id
        where ${moment('x.updated_at')} and (
          (h.id is not null and (h.amount, h.owner_id, h.reference, a.kind, a.reference, a.currency)
            is distinct from (x.amount + x.fee, x.sender_app_id, 'SWT-' || x.id, 'APPLICATION', x.sender_app_id::text, x.currency))
          or (p.id is not null and (p.type, p.amount, p.fee, p.currency, p.owner_id, p.reference, p.external_reference, p.comment,
                                    s.kind, s.reference, d.kind = 'WALLET' or d.reference = x.receiver_app_id::text)
            is distinct from ('SWITCH', x.amount, x.fee, x.currency, x.sender_app_id, 'SWT-' || x.id, x.reference, x.narration,
                              'APPLICATION', x.sender_app_id::text, true))
          or not coalesce(case x.status
            when 'AWAITING_ACCEPTANCE' then h.state in ('OPEN', 'EXPIRED') and p.id is null
            when 'ACCEPTED' then case when h.id is null then ${PAID}
              when p.id is null then h.state = 'RELEASED' and x.sender_app_id = x.receiver_app_id and x.fee = 0
              else h.state = 'CAPTURED' and ${PAID} end
            when 'DECLINED' then p.id is null and coalesce(h.state, 'REFUSED') = 'REFUSED'
            else h.state in ('RELEASED', 'EXPIRED') and p.id is null end, false))`,
  },
  {
    name: 'holds_have_their_transaction',
    promise:
      'every hold that is open or was captured belongs to a transaction that names it, or to a posting in two steps',
    offenders: ({ since, moment }) => `
      select h.id as hold_id, h.reference, h.amount, h.state from ledger.hold h
        where h.state in ('OPEN', 'CAPTURED') and (${moment('h.created_at')}${since === undefined ? '' : ` or ${moment('h.closed_at')}`})
          and not exists (select from tag_transactions.tag_transaction x where x.hold_id = h.id)
          and not exists (select from ledger.transaction t where t.hold_id = h.id)`,
  },
  {
    name: 'switch_postings_have_their_transaction',
    promise: 'every movement of money between tags belongs to a transaction that was accepted',
    offenders: ({ moment }) => `
      select p.id as posting_id, p.reference, p.amount from ledger.transaction p
        where p.type = 'SWITCH' and ${PAID} and ${moment('p.created_at')}
          and not exists (select from tag_transactions.tag_transaction x where x.status = 'ACCEPTED' and x.posting_id = p.id
            and x.id = case when p.reference ~ '^SWT-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(p.reference, 5)::uuid end)`,
  },
  {
    name: 'tag_transactions_are_told_once',
    promise: 'each side gets exactly one event of each step that it did not cause',
    offenders: ({ moment }) => `
      select x.id, x.reference, x.status, w.event, w.owner_id, count(v.id) as events from tag_transactions.tag_transaction x
        cross join lateral (${PUBLISHED}) w
        join outbox.receiver r on r.owner_id = w.owner_id
        left join outbox.event v on v.receiver_id = r.id and v.subject_id = x.id and v.event = w.event
        where ${moment('x.updated_at')} group by x.id, w.event, w.owner_id having count(v.id) <> 1
      union all
      select x.id, v.reference, x.status, v.event, r.owner_id, 1 from outbox.event v join outbox.receiver r on r.id = v.receiver_id
        left join tag_transactions.tag_transaction x on x.id = v.subject_id
        where v.event in ('TRANSACTION_INITIATED', 'TRANSACTION_ACCEPTED', 'TRANSACTION_REJECTED', 'TRANSACTION_CANCELLED',
                          'TRANSACTION_EXPIRED') and ${moment('v.created_at')} and not (v.subject_id is null and ${isSample('v.reference')})
          and not exists (select from (${PUBLISHED}) w where w.event = v.event and w.owner_id = r.owner_id)`,
  },
  {
    name: 'tag_transaction_events_say_what_happened',
    promise: 'the body of a transaction’s event equals the transaction: tags, applications, amounts and time',
    offenders: ({ moment }) => `
      select v.id as event_id, x.id, v.event, v.reference from outbox.event v
        join tag_transactions.tag_transaction x on x.id = v.subject_id
        cross join lateral (select case when v.body is json object then v.body::jsonb end as body offset 0) b
        cross join lateral (select b.body -> 'data' as data offset 0) d
        where v.event like 'TRANSACTION\\_%' and v.body is not null and ${moment('v.created_at')}
          and (b.body ->> 'event', b.body ->> 'reference', d.data ->> 'id', d.data ->> 'reference', d.data -> 'amount',
               d.data -> 'fee', d.data ->> 'currency', d.data ->> 'senderTag', d.data ->> 'receiverTag',
               d.data ->> 'senderAppId', d.data ->> 'receiverAppId', d.data ->> 'createdAt', d.data ->> 'status')
              is distinct from
              (v.event, x.reference, x.id::text, x.reference, to_jsonb(x.amount / 100.0), to_jsonb(x.fee / 100.0), x.currency,
               x.sender_tag, x.receiver_tag, x.sender_app_id::text, x.receiver_app_id::text,
               to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               case v.event when 'TRANSACTION_INITIATED' then 'AWAITING_ACCEPTANCE' else substr(v.event, 13) end)`,
  },
];

/** Offers to or from the customer's PayTag, while it was theirs. */
const exportOf: ExportOf = async ({ db }, customerId) => {
  const tags = await tagsOfCustomer(db, customerId);
  if (tags.length === 0) return newestOf([], 0);
  const held = {
    handles: tags.map(({ handle }) => handle),
    since: tags.map(({ createdAt }) => createdAt),
    until: tags.map(({ releasedAt }) => releasedAt),
  };
  const [items, total] = await Promise.all([newest(db, held), countAll(db, held)]);
  const exported = items.map(({ row, senderAppName, receiverAppName }) => ({
    id: row.id,
    reference: row.reference,
    sender: { tag: row.senderTag, application: senderAppName },
    receiver: { tag: row.receiverTag, application: receiverAppName },
    amount: toMajor(row.amount),
    currency: row.currency,
    status: row.status,
    narration: row.narration,
    createdAt: row.createdAt,
    acceptedAt: row.acceptedAt,
    rejectedAt: row.rejectedAt,
    rejectionReason: row.rejectionReason,
  }));
  return newestOf(exported, total?.count ?? 0);
};

type WhileHeld = Given<{ handles: readonly string[]; since: readonly Date[]; until: readonly (Date | null)[] }>;

/** Each tag by the indexes of sender and receiver, for as long as it was held. */
const isOfTags = ({ handles, since, until }: WhileHeld) =>
  sql`${tagTransaction.id} = any(array(
    select t.id from unnest(${handles}::text[], ${since}::timestamptz[], ${until}::timestamptz[]) held (handle, since, until)
      cross join lateral (
        select s.id, s.created_at from ${tagTransaction} s where s.sender_tag = held.handle
        union all
        select r.id, r.created_at from ${tagTransaction} r where r.receiver_tag = held.handle) t
     where t.created_at >= held.since and (held.until is null or t.created_at < held.until)))`;

const newest = prepared('tag-transactions.export', (db, given: WhileHeld) =>
  selectParts(db).where(isOfTags(given)).orderBy(desc(tagTransaction.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('tag-transactions.export-count', (db, given: WhileHeld) =>
  db.select({ count: count() }).from(tagTransaction).where(isOfTags(given)),
);

const forward = preparedText<{ moved: number }>(
  'tag-transactions.bring-forward',
  'select tag_transactions.bring_forward($1, $2, $3) as moved',
  { writes: true },
);

/**
 * For the sandbox, refused in live: moves the times of an application's unanswered offers back, and of this counterpart's offers
 * to it.
 */
export async function bringForward(
  tx: Tx,
  { applicationId, counterpartId, seconds }: { applicationId: string; counterpartId: string | null; seconds: number },
): Promise<number> {
  return (await forward(tx, [applicationId, counterpartId, seconds]))[0]?.moved ?? 0;
}

export const room: Room = { retention, invariants, routingFacts, exports: { offers: exportOf } };
