import { desc, eq, or } from '#drizzle';
import { prepared } from '#lib/postgres/prepared.ts';
import type { Retention, Room } from '#lib/room.ts';
import { type EraseOf, EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/room.ts';
import { findHandles } from '#modules/customers';
import { partner } from '#modules/partners';
import { beneficiary } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'beneficiaries.beneficiary',
    kept: 'until the customer removes it, or is erased',
    why: 'whom they paid is offered to them again',
  },
];

/** Whom the customer has paid at each partner, by their PayTags. */
const exportOf: ExportOf = async ({ db }, customerId) => {
  const found = await paid(db, { customerId });
  const handles = await findHandles(
    db,
    found.map(({ payeeId }) => payeeId),
  );
  return found.map(({ partner: at, payeeId, at: lastPaidAt }) => ({
    partner: at,
    paytag: handles.get(payeeId),
    lastPaidAt,
  }));
};

const paid = prepared('beneficiaries.export', (db, given: OfCustomer) =>
  db
    .select({
      partner: { id: partner.id, name: partner.name },
      payeeId: beneficiary.payeeId,
      at: beneficiary.lastPaidAt,
    })
    .from(beneficiary)
    .innerJoin(partner, eq(partner.id, beneficiary.partnerId))
    .where(eq(beneficiary.customerId, given.customerId))
    .orderBy(desc(beneficiary.lastPaidAt))
    .limit(EXPORTED_MAX),
);

/** Whom the customer has paid, and that others have paid the customer. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('beneficiaries.erase', (db, given: OfCustomer) =>
  db
    .delete(beneficiary)
    .where(or(eq(beneficiary.customerId, given.customerId), eq(beneficiary.payeeId, given.customerId))),
);

export const room: Room = { retention, exports: { beneficiaries: exportOf }, erase: eraseOf };
