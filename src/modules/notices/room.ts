import { desc, eq } from '#drizzle';
import { prepared } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import {
  DAY_MS,
  deletes,
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  type OfCustomer,
  type Retention,
} from '#lib/room.ts';
import { partner } from '#modules/partners';
import { notice } from './tables.ts';
import { recipientOf, sealedColumns } from './tell-customer.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'notices.notice',
    kept: '90 days after what it tells of; the address until it is sent or given up',
    why: 'that a customer was told can be shown',
    forget: { rows: deletes({ table: 'notices.notice', by: 'happened_at', afterMs: 90 * DAY_MS }) },
  },
];

/** What the customer was told of their PayTag; of what is not sent yet, also where it goes. */
const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await told(db, { customerId });
  return found.map(({ row, partner: name }) => ({
    kind: row.kind,
    channel: row.channel,
    recipient: recipientOf(keyring, row),
    partner: name,
    detail: row.detail,
    happenedAt: row.happenedAt,
    sentAt: row.sentAt,
  }));
};

const told = prepared('notices.export', (db, given: OfCustomer) =>
  db
    .select({ row: notice, partner: partner.name })
    .from(notice)
    .leftJoin(partner, eq(partner.id, notice.partnerId))
    .where(eq(notice.customerId, given.customerId))
    .orderBy(desc(notice.id))
    .limit(EXPORTED_MAX),
);

/** What the customer was told, or was to be. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('notices.erase', (db, given: OfCustomer) =>
  db.delete(notice).where(eq(notice.customerId, given.customerId)),
);

export const room: Room = { retention, sealedColumns, exports: { notices: exportOf }, erase: eraseOf };
