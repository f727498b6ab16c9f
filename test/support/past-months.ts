import type { Client, Pool } from 'pg';
import { archiveMonths } from '#modules/archives';
import { recordProven } from '#modules/customers';
import { stampInstallation } from '#modules/installation';
import { sealDue } from '#modules/seals';
import { type RetentionDeps, retention } from '../../src/retention.ts';
import type { TestApp } from './app.ts';
import { asOwner } from './database.ts';
import { eventually } from './eventually.ts';

const HOUR_MS = 3_600_000;
const LAGOS_MS = HOUR_MS;
const DAY_MS = 86_400_000;

/** When the month began that was so many months ago, in Lagos. */
export function monthsAgo(months: number): Date {
  const lagos = new Date(Date.now() + LAGOS_MS);
  return new Date(Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() - months, 1) - LAGOS_MS);
}

/** As the command names it. */
export const nameOf = (month: Date): string => new Date(month.getTime() + LAGOS_MS).toISOString().slice(0, 7);

/** Has the first part of the entries end as a month began, and makes a part for each month after it, as the owner. */
export async function openMonths(owner: Pool, months: number): Promise<void> {
  await owner.query(`alter table ledger.entry detach partition ledger.entry_before`);
  const ends = (month: Date) => `'${month.toISOString()}'`;
  await owner.query(
    `alter table ledger.entry attach partition ledger.entry_before for values from (minvalue) to (${ends(monthsAgo(months))})`,
  );
  for (let ago = months; ago > 0; ago -= 1) {
    const name = `entry_${nameOf(monthsAgo(ago)).replace('-', '_')}`;
    await owner.query(`create table ledger.${name} (like ledger.entry including all, primary key (transaction_id, leg),
      unique (account_id, version), foreign key (transaction_id) references ledger.transaction (id),
      foreign key (account_id) references ledger.account (id))`);
    await owner.query(`create index ${name}_time on ledger.${name} using brin (created_at) with (autosummarize = on)`);
    await owner.query(`create trigger entry_balanced after insert on ledger.${name}
      referencing new table as written for each statement execute function ledger.refuse_unbalanced()`);
    await owner.query(`create trigger entry_immutable before update or delete or truncate on ledger.${name}
      for each statement execute function ledger.refuse_change()`);
    await owner.query(`alter table ledger.entry attach partition ledger.${name}
      for values from (${ends(monthsAgo(ago))}) to (${ends(monthsAgo(ago - 1))})`);
  }
}

/** As if everything that was written since yesterday had happened in a month so many months ago, at the same time of day. */
export async function moveBack(owner: Pool, months: number): Promise<void> {
  const days = Math.floor((Date.now() - monthsAgo(months).getTime()) / DAY_MS) - 9;
  const back = `interval '${days} days'`;
  const isNew = (column: string) => `${column} > now() - interval '1 day'`;
  const client = await owner.connect();
  await client.query(`
    set session_replication_role = replica;
    update ledger.transaction set completed_at = completed_at - ${back} where ${isNew('completed_at')};
    update ledger.transaction set created_at = created_at - ${back} where ${isNew('created_at')};
    update ledger.entry set created_at = created_at - ${back}, business_date = business_date - ${days} where ${isNew('created_at')};
    update ledger.account set moved_at = moved_at - ${back} where ${isNew('moved_at')};
    update ledger.spending set day = day - ${days} where day > now() - interval '2 days';
    update ledger.hold set held_day = held_day - ${days} where ${isNew('created_at')};
    update payouts.payout set created_at = created_at - ${back} where ${isNew('created_at')};
    update outbox.event v set created_at = v.created_at - ${back}, body = replace(v.body, v.body::jsonb #>> '{data,Date}',
        to_char((v.body::jsonb #>> '{data,Date}')::timestamptz at time zone 'UTC' - ${back}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      where v.event = 'transaction.status' and ${isNew('v.created_at')};
    update audit.entry set at = at - ${back} where ${isNew('at')};
    update reconciliation.item set our_day = our_day - ${days} where our_day > now() - interval '20 days';
    update outbox.event v set created_at = v.created_at - ${back}, body = ledger.wallet_event(v.event, v.reference, t, e)
      from outbox.receiver r, ledger.account a, ledger.entry e, ledger.transaction t
      where ${isNew('v.created_at')} and r.id = v.receiver_id and a.kind = 'WALLET' and a.partner_id = r.owner_id
        and a.reference = v.reference and e.account_id = a.id and e.version = v.sequence and t.id = e.transaction_id;
    truncate books.day_total, books.partner_day_total, books.hour_total;
    update books.totalled set until = '-infinity';
    set session_replication_role = origin`);
  client.release();
}

/** Adds up days and seals hours until a month began, as if the server had been installed three hours before another. */
export async function totalAndSeal(
  { owner, resources }: { owner: Pool; resources: Parameters<typeof sealDue>[0] },
  installed: Date,
  until: Date,
): Promise<string[]> {
  await stampInstallation(resources.db, 'sandbox', ['of-the-tests']);
  await owner.query(`update installation.stamp set created_at = $1::timestamptz - interval '3 hours'`, [installed]);
  for (;;) {
    const { rows } = await owner.query('select books.add_up($1) as until', [until]);
    if (rows[0].until === null) break;
  }
  const seals: string[] = [];
  let sealed = installed;
  for (;;) {
    // No more at once than there are hours left. Nothing is due for a moment while another connection is at something.
    const limit = Math.max(1, Math.floor((until.getTime() - sealed.getTime()) / HOUR_MS));
    const made = await eventually(async () => {
      const some = await sealDue(resources, limit);
      if (some.length === 0) throw new Error(`nothing more is due after ${seals.length} seals`);
      return some;
    });
    seals.push(...made.map(({ seal }) => seal));
    const last = made.at(-1);
    if (last?.period === 'HOUR' && last.endsAt === until.toISOString()) return seals;
    sealed = new Date(last?.endsAt ?? sealed);
  }
}

/** Makes the months ahead that an installation has, as the owner: databases of tests have the next one alone. */
export async function makeMonthsAhead(owner: Client | Pool): Promise<void> {
  await owner.query('select ledger.make_months(), outbox.make_months(), webhooks.make_months()');
}

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
  update outbox.event v set created_at = v.created_at - interval '24 hours', body = ledger.wallet_event(v.event, v.reference, t, e)
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
  update outbox.event v set created_at = v.created_at + interval '24 hours', body = ledger.wallet_event(v.event, v.reference, t, e)
    from outbox.receiver r, ledger.account a, ledger.entry e, ledger.transaction t
    where r.id = v.receiver_id and a.kind = 'WALLET' and a.partner_id = r.owner_id and a.reference = v.reference
      and e.account_id = a.id and e.version = v.sequence and t.id = e.transaction_id;
  set session_replication_role = origin`;

/** Archives as the command does, with the owner's login. */
export const archiveBefore = (
  { resources: { databaseUrl, keyring, clock } }: TestApp,
  directory: string,
  { before, drop = false, dryRun = false }: { before: Date; drop?: boolean; dryRun?: boolean },
  progress: (step: string) => void,
): Promise<string[]> =>
  archiveMonths(
    { databaseUrl: asOwner(databaseUrl), keyring, clock },
    {
      before: nameOf(before),
      directory,
      drop,
      dryRun,
      actor: 'cli',
      reason: 'closed',
      progress: (part, step) => progress(`${part}: ${step}`),
    },
  );

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
  const { db, keyring, clock } = server.resources;
  await recordProven(db, keyring, { customerId, proven: contacts, now: clock.now() });
  await server.owner.query(
    'update customers.customer set phone_proven_at = null, email_proven_at = null where id = $1',
    [customerId],
  );
}
