import { desc, eq } from '#drizzle';
import { prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import {
  DAY_MS,
  deletes,
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  empties,
  type OfCustomer,
  type Retention,
} from '#lib/room.ts';
import { partner } from '#modules/clients';
import { sealedColumns as noticeColumns, recipientOf } from './notices.ts';
import { sealedColumns as customerColumns, openChange, openValue } from './seals.ts';
import { routingFacts } from './store.ts';
import { contactChange, customer, notice } from './tables.ts';

/** Who the customer is, how they are reached, and changes of that which are not in force yet. */
const exportProfileOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [row, changes] = await Promise.all([record(db, { customerId }), changesOf(db, { customerId })]);
  if (row === undefined) return {};
  return {
    id: row.id,
    /** Of one who was erased: a pseudonym. */
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    keptName: openValue(keyring, row, 'keptName'),
    bvn: row.bvnHandedBackAt === null ? openValue(keyring, row, 'bvn') : undefined, // it is another person's
    dateOfBirth: openValue(keyring, row, 'dateOfBirth'),
    address: openValue(keyring, row, 'address'),
    imageUrl: row.imageUrl,
    phone: openValue(keyring, row, 'phone'),
    phoneProvenAt: row.phoneProvenAt,
    email: openValue(keyring, row, 'email'),
    emailProvenAt: row.emailProvenAt,
    contactChanges: changes.map((change) => ({
      contact: change.contact,
      value: openChange(keyring, change),
      confirmedAt: change.confirmedAt,
      inForceAt: change.inForceAt,
    })),
    hasPassword: row.passwordHash !== null,
    frozenAt: row.frozenAt,
    bvnHandedBackAt: row.bvnHandedBackAt,
    erasedAt: row.erasedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
};

const record = preparedOne('customers.export', (db, given: OfCustomer) =>
  db.select().from(customer).where(eq(customer.id, given.customerId)),
);

const changesOf = prepared('customers.export-changes', (db, given: OfCustomer) =>
  db.select().from(contactChange).where(eq(contactChange.customerId, given.customerId)),
);

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'customers.contact_change',
    kept: 'until it is in force, 24 hours later',
    why: 'a code confirmed it',
  },
  {
    table: 'customers.customer',
    kept: 'for ever; of one who was erased the BVN and the name it was verified with, five years',
    why: 'the law has us know whose money it was for so long (MLPPA 2022, section 8; CBN); the row is what their money names',
    forget: {
      'of the erased': empties(
        { table: 'customers.customer', by: 'erased_at', afterMs: 5 * 366 * DAY_MS, where: 't.bvn_sealed is not null' },
        ['bvn_sealed', 'kept_name_sealed'],
      ),
    },
  },
  {
    table: 'notices.notice',
    kept: '90 days after its event; the address until it is sent or given up',
    why: 'the proof that the customer was notified',
    forget: { rows: deletes({ table: 'notices.notice', by: 'happened_at', afterMs: 90 * DAY_MS }) },
  },
];

/** The notices to the customer; of one that is not sent yet, also the address. */
const exportNoticesOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await noticesOf(db, { customerId });
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

const noticesOf = prepared('notices.export', (db, given: OfCustomer) =>
  db
    .select({ row: notice, partner: partner.name })
    .from(notice)
    .leftJoin(partner, eq(partner.id, notice.partnerId))
    .where(eq(notice.customerId, given.customerId))
    .orderBy(desc(notice.id))
    .limit(EXPORTED_MAX),
);

/** The notices to the customer, sent or not. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('notices.erase', (db, given: OfCustomer) =>
  db.delete(notice).where(eq(notice.customerId, given.customerId)),
);

export const room: Room = {
  retention,
  sealedColumns: [...customerColumns, ...noticeColumns],
  routingFacts,
  exports: { profile: exportProfileOf, notices: exportNoticesOf },
  erase: eraseOf,
};
