import { count, desc, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { tagsOfCustomer } from '#modules/tags';
import { selectParts } from './store.ts';
import { tagTransaction } from './tables.ts';

/** Money that was offered to the customer's PayTag, or from it, while it was theirs. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
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
const isTheirs = ({ handles, since, until }: WhileHeld) =>
  sql`${tagTransaction.id} = any(array(
    select t.id from unnest(${handles}::text[], ${since}::timestamptz[], ${until}::timestamptz[]) held (handle, since, until)
      cross join lateral (
        select s.id, s.created_at from ${tagTransaction} s where s.sender_tag = held.handle
        union all
        select r.id, r.created_at from ${tagTransaction} r where r.receiver_tag = held.handle) t
     where t.created_at >= held.since and (held.until is null or t.created_at < held.until)))`;

const newest = prepared('tag-transactions.export', (db, given: WhileHeld) =>
  selectParts(db).where(isTheirs(given)).orderBy(desc(tagTransaction.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('tag-transactions.export-count', (db, given: WhileHeld) =>
  db.select({ count: count() }).from(tagTransaction).where(isTheirs(given)),
);
