import { lockCustomer, recordProven } from '#modules/customers';
import { type RetentionDeps, retention } from '../../src/rooms.ts';
import type { TestApp } from './app.ts';
import { vouchRows } from './sealed.ts';

/**
 * Statements of a superuser: as if everything had happened a day before, so that its hours are sealed. Totals go by way of a time
 * long ago, since one row at a time the totals of a day would meet those of the day before it. Whoever adds up holds
 * `books.totalled`, so they are moved behind it.
 */
export const A_DAY_BEFORE = `
  set session_replication_role = replica;
  update installation.stamp set created_at = created_at - interval '26 hours';
  update ledger.transaction set created_at = created_at - interval '24 hours', completed_at = completed_at - interval '24 hours';
  update ledger.entry set created_at = created_at - interval '24 hours', business_date = business_date - 1;
  update audit.entry set at = at - interval '24 hours';
  update books.totalled set until = until - interval '24 hours';
  update books.day_total set day = day - 1001;
  update books.day_total set day = day + 1000;
  update books.partner_day_total set day = day - 1001;
  update books.partner_day_total set day = day + 1000;
  update books.hour_total set hour = hour - interval '24024 hours';
  update books.hour_total set hour = hour + interval '24000 hours';
  update outbox.event v set created_at = v.created_at - interval '24 hours', body = ledger.movement_body(a, e, t)
    from outbox.receiver r, ledger.account a, ledger.entry e, ledger.transaction t
    where r.id = v.receiver_id and a.kind = 'WALLET' and a.partner_id = r.owner_id and a.reference = v.reference
      and e.account_id = a.id and e.version = v.sequence and t.id = e.transaction_id`;

/**
 * Statements of a superuser: as if the clock of the database had been a day ahead until now, and was set right. All that was posted is
 * dated a day from now.
 */
export const A_DAY_AHEAD = `
  set session_replication_role = replica;
  update ledger.transaction set created_at = created_at + interval '24 hours', completed_at = completed_at + interval '24 hours';
  update ledger.entry set created_at = created_at + interval '24 hours', business_date = business_date + 1;
  update ledger.account set moved_at = moved_at + interval '24 hours';
  update ledger.hold set held_day = held_day + 1, created_at = created_at + interval '24 hours';
  update ledger.spending set day = day + 1;
  update outbox.event v set created_at = v.created_at + interval '24 hours', body = ledger.movement_body(a, e, t)
    from outbox.receiver r, ledger.account a, ledger.entry e, ledger.transaction t
    where r.id = v.receiver_id and a.kind = 'WALLET' and a.partner_id = r.owner_id and a.reference = v.reference
      and e.account_id = a.id and e.version = v.sequence and t.id = e.transaction_id;
  set session_replication_role = origin`;

/** Has everything forgotten of a table that is not kept any more at a moment, as a worker does by and by. Resolves to how many rows. */
export async function forget(deps: RetentionDeps, table: string, now: Date): Promise<number> {
  let forgotten = 0;
  for (const some of Object.values(retention.find((one) => one.table === table)?.forget ?? {})) {
    for (let isAll = false; !isAll; ) {
      const done = await some(deps, now);
      forgotten += done.rows;
      ({ isAll } = done);
    }
  }
  return forgotten;
}

/** Makes a customer one from before contacts were compared with the register, with these on record: none is proven. */
export async function madeBeforeContacts(
  server: TestApp,
  customerId: string,
  contacts: { phone?: string; email?: string },
): Promise<void> {
  const { transact, keyring, clock } = server.resources;
  await transact(async (tx) => {
    const { customer } = await lockCustomer(tx, customerId);
    await recordProven(tx, keyring, customer, contacts, clock.now());
  });
  await server.owner.query(
    `update customers.customer set phone_proven_at = null, email_proven_at = null, routing_mac = '\\x00' where id = $1`,
    [customerId],
  );
  await vouchRows(server.owner, keyring);
}
