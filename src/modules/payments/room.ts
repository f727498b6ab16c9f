import { count, desc, eq, sql } from '#drizzle';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { Invariant, InvariantDeps, Retention, Room } from '#lib/room.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/room.ts';
import { transaction } from '#modules/ledger';
import { accountsOfCustomer } from '#modules/wallets';
import { payment } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'payments.payment',
    kept: 'for ever',
    why: 'the books: from whom the money came',
  },
];

const IS_PAYMENT = `t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'INBOUND')`;
const MOVED = `t.status in ('Pending', 'Successful', 'Reversed')`;
const REACHED = `t.status in ('Successful', 'Reversed') and t.completed_at is not null`;
/** What of a payment reached its destination. */
const NET = '(t.amount - t.fee - t.commission - t.stamp_duty)';
const major = (minor: string): string => `to_jsonb(${minor} / 100.0)`;

/** What must be true of payments at any moment. */
const invariants = ({ isSample }: InvariantDeps): readonly Invariant[] => [
  {
    name: 'payments_are_their_transactions',
    promise:
      'what rails reported and was booked has its payment, at a terminal exactly if it was paid at one, and an instalment names its split',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.type, t.reference, p.terminal_id, p.split_id from ledger.transaction t
        left join payments.payment p on p.transaction_id = t.id
        left join terminals.split s on s.id = p.split_id
        left join terminals.terminal m on m.id = p.terminal_id
        where ${moment('t.created_at')} and case when ${IS_PAYMENT} and ${MOVED} then p.transaction_id is null
            or (t.type = 'PARTNER_TERMINAL') <> (p.terminal_id is not null)
            or s.terminal_id <> p.terminal_id or m.partner_id <> t.partner_id
            or (t.type = 'PARTNER_TERMINAL' and t.reference not like 'RPT-%' and s.reference is distinct from t.external_reference)
          else p.transaction_id is not null end`,
  },
  {
    name: 'splits_are_their_payments',
    promise: 'what is paid of a split is the sum of the instalments that it took',
    offenders: ({ moment }) => `
      select s.id, s.terminal_id, s.reference, s.total_paid, x.amount as payments from terminals.split s
        left join lateral (select sum(t.amount) as amount from payments.payment p
                             join ledger.transaction t on t.id = p.transaction_id where p.split_id = s.id
                               and coalesce(t.pending_reason, '') not in ('SPLIT_OVERPAYMENT', 'SPLIT_NOT_PAYABLE')) x on true
        where ${moment('s.updated_at')} and s.total_paid <> coalesce(x.amount, 0)`,
  },
  {
    name: 'terminals_are_their_payments',
    promise: 'the balance of a terminal is what its payments brought, less the charges',
    offenders: () => `
      select m.id, m.serial_number, m.balance, x.amount as payments from terminals.terminal m
        left join (select p.terminal_id, sum(${NET}) as amount from payments.payment p
                     join ledger.transaction t on t.id = p.transaction_id where p.terminal_id is not null and ${REACHED} group by 1) x
          on x.terminal_id = m.id
        where m.balance <> coalesce(x.amount, 0)`,
  },
  {
    name: 'payments_are_audited',
    promise:
      'every payment has the audit entry of its report, of the same type and amount, and no report is without its payment',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from payments.payment p
          join ledger.transaction t on t.id = p.transaction_id
        where ${moment('t.created_at')}
          and not exists (select from audit.entry x where x.target = t.reference and x.action = 'payment.report'
                            and x.after ->> 'partnerId' = t.partner_id::text and x.after ->> 'type' = t.type
                            and x.after ->> 'amount' = t.amount::text)
      union all
      select null, x.target, null, x.id from audit.entry x where x.action = 'payment.report' and ${moment('x.at')}
        and not exists (select from ledger.transaction t join payments.payment p on p.transaction_id = t.id
                          where t.reference = x.target and t.partner_id::text = x.after ->> 'partnerId'
                            and t.type = x.after ->> 'type')`,
  },
  {
    name: 'payments_are_told_once',
    promise:
      'every payment that reached a partner by a gateway or a terminal has exactly one event, and no event tells of another',
    offenders: ({ moment, around }) => `
      select m.owner_id, m.reference, sum(m.payments) as payments, sum(m.events) as events from (
          select t.partner_id as owner_id, t.reference, 1 as payments, 0 as events, ${moment('t.completed_at')} as looked_at
            from ledger.transaction t join outbox.receiver r on r.owner_id = t.partner_id
            where t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL') and ${REACHED}
              and (${around('t.created_at')} or (t.pending_reason is not null and ${around('t.completed_at')}))
          union all
          select r.owner_id, v.reference, 0, 1, ${moment('v.created_at')} from outbox.event v
            join outbox.receiver r on r.id = v.receiver_id
            where v.event = 'transaction.status' and ${around('v.created_at')}
              and not (${isSample('v.reference')} and not exists (
                select from ledger.transaction t where t.partner_id = r.owner_id and t.reference = v.reference
                  and t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL')))) m
        group by 1, 2 having (sum(m.payments) <> 1 or sum(m.events) <> 1) and bool_or(m.looked_at)`,
  },
  {
    name: 'payment_events_say_what_was_posted',
    promise: 'the body of a payment’s event says what was posted: amount, charges, reference, comment and time',
    offenders: ({ moment }) => `
      select v.id as event_id, t.id as transaction_id, v.reference from outbox.event v
        join outbox.receiver r on r.id = v.receiver_id
        join ledger.transaction t on t.partner_id = r.owner_id and t.reference = v.reference
          and t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL') and ${REACHED}
        cross join lateral (select case when v.body is json object then v.body::jsonb end as body offset 0) b
        cross join lateral (select b.body -> 'data' as data offset 0) d
        where v.event = 'transaction.status' and v.body is not null and ${moment('v.created_at')}
          and (b.body ->> 'event', b.body ->> 'reference', d.data ->> 'Reference', d.data ->> 'Status', d.data -> 'Amount',
               d.data -> 'Fee', d.data -> 'Commission', d.data -> 'Net', coalesce(d.data ->> 'Comment', ''), d.data ->> 'Date')
              is distinct from
              (v.event, v.reference, t.reference, 'Successful', ${major('t.amount')}, ${major('t.fee')},
               ${major('t.commission')}, ${major(NET)}, coalesce(t.comment, ''),
               to_char(coalesce(t.completed_at, t.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  },
];

/** What rails said of money that came into the customer's wallets: who sent it. */
const exportOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await accountsOfCustomer(db, customerId);
  const accounts = [...wallets.keys()];
  const [found, total] = await Promise.all([newest(db, { accounts }), countAll(db, { accounts })]);
  const exported = found.map(({ payment: { senderName, senderPaytag, senderType }, transaction: of }) => ({
    reference: of.reference,
    type: of.type,
    wallet: wallets.get(Number(of.destinationId)),
    senderName,
    senderPayTag: senderPaytag,
    senderType,
    createdAt: of.createdAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};

type IntoAccounts = Given<{ accounts: readonly number[] }>;
const isInto = ({ accounts }: IntoAccounts) => sql`${transaction.destinationId} = any(${accounts})`;

const newest = prepared('payments.export', (db, given: IntoAccounts) =>
  db
    .select({ payment, transaction })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given))
    .orderBy(desc(transaction.id))
    .limit(EXPORTED_MAX),
);
const countAll = preparedOne('payments.export-count', (db, given: IntoAccounts) =>
  db
    .select({ count: count() })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given)),
);

export const room: Room = { retention, invariants, exports: { receivedFrom: exportOf } };
