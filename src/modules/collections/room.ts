import { and, count, desc, eq, inArray, isNotNull, sql } from '#drizzle';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { Invariant, InvariantDeps, Room } from '#lib/room.ts';
import { DAY_MS, EXPORTED_MAX, type ExportOf, empties, newestOf, type OfCustomer, type Retention } from '#lib/room.ts';
import { transaction } from '#modules/ledger';
import { accountsOfCustomer, partnerWallet } from '#modules/wallets';
import { sealedColumns as accountColumns, toView } from './inbound-accounts.ts';
import { sealedColumns as messageColumns } from './message.ts';
import { account, payment } from './tables.ts';

const IS_PAYMENT = `t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'INBOUND')`;

const MOVED = `t.status in ('Pending', 'Successful', 'Reversed')`;

const REACHED = `t.status in ('Successful', 'Reversed') and t.completed_at is not null`;

/** The part of a payment that reached its destination. */
const NET = '(t.amount - t.fee - t.commission - t.stamp_duty)';

const major = (minor: string): string => `to_jsonb(${minor} / 100.0)`;

/** What must be true of payments at any moment. */
const paymentsInvariants = ({ isSample }: InvariantDeps): readonly Invariant[] => [
  {
    name: 'payments_are_their_transactions',
    promise:
      'every booked report of a rail has its payment, with a terminal exactly if its type is PARTNER_TERMINAL, and an instalment names its split',
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
    promise: 'the paid amount of a split is the sum of its accepted instalments',
    offenders: ({ moment }) => `
      select s.id, s.terminal_id, s.reference, s.total_paid, x.amount as payments from terminals.split s
        left join lateral (select sum(t.amount) as amount from payments.payment p
                             join ledger.transaction t on t.id = p.transaction_id where p.split_id = s.id
                               and coalesce(t.pending_reason, '') not in ('SPLIT_OVERPAYMENT', 'SPLIT_NOT_PAYABLE')) x on true
        where ${moment('s.updated_at')} and s.total_paid <> coalesce(x.amount, 0)`,
  },
  {
    name: 'terminals_are_their_payments',
    promise: 'the balance of a terminal is the sum of its payments, less the charges',
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
      'every payment has an audit entry of its report, of the same type and amount, and every such entry has its payment',
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
      'every payment that reached a partner by a gateway or a terminal has exactly one event, and no such event lacks its payment',
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
    promise: 'the body of a payment’s event equals the posting: amount, charges, reference, comment and time',
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

/** The senders of money that came into the customer's wallets. */
const exportReceivedFromOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await accountsOfCustomer(db, customerId);
  const accounts = [...wallets.keys()];
  const [found, total] = await Promise.all([paymentsNewest(db, { accounts }), paymentsCountAll(db, { accounts })]);
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

const paymentsNewest = prepared('payments.export', (db, given: IntoAccounts) =>
  db
    .select({ payment, transaction })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given))
    .orderBy(desc(transaction.id))
    .limit(EXPORTED_MAX),
);

const paymentsCountAll = preparedOne('payments.export-count', (db, given: IntoAccounts) =>
  db
    .select({ count: count() })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given)),
);

/** Provider messages that differ from the books. */
export const differingMessages = countOfWaiting(
  'inbox.differing',
  `select received_at as at from inbox.message where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT'`,
);

const selectUnreadable = preparedText<{ count: number }>(
  'inbox.unreadable',
  `select count(*)::int as count from inbox.message
    where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT' and difference = 'UNREADABLE'`,
);

/** Unreadable provider messages that no operator has closed, for metrics. */
export async function measureUnreadable(db: Executor): Promise<number> {
  return (await selectUnreadable(db, []))[0]?.count ?? 0;
}

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'payments.payment',
    kept: 'for ever',
    why: 'the books: the senders of the money',
  },
  {
    table: 'inbox.message',
    kept: 'for ever; its body, 90 days after it was booked, ignored or dismissed',
    why: 'the books: the source of what was booked; the body helps to find errors for 90 days',
    forget: {
      bodies: empties(
        { table: 'inbox.message', by: 'ended_at', afterMs: 90 * DAY_MS, where: 't.body_sealed is not null' },
        ['body_sealed'],
      ),
    },
  },
  {
    table: 'inbound_accounts.account',
    kept: 'with its wallet',
    why: 'money is paid to it',
  },
];

/** What must be true of the rows of this room. */
const invariants: readonly Invariant[] = [
  {
    name: 'messages_of_transfers_are_booked_as_they_say',
    promise:
      'a booked message of a transfer names its payout, of the same amount, whose status is that of the message or was corrected to it',
    offenders: ({ moment }) => `
      select m.id, m.reference, m.amount, m.outcome, p.state, p.amount as payout from inbox.message m
        left join payouts.payout p on p.transaction_id = m.transaction_id
        where m.kind = 'TRANSFER' and m.state = 'BOOKED' and ${moment('m.updated_at')}
          and ((m.provider, m.reference, m.amount, m.currency)
              is distinct from (p.provider, p.provider_reference, p.amount, 'NGN')
            or case m.outcome when 'SUCCESSFUL' then p.state not in ('SUCCESSFUL', 'REVERSED') and p.correction_id is null
              else p.state not in ('FAILED', 'REVERSED') end)`,
  },
  {
    name: 'messages_of_payments_are_booked_as_they_say',
    promise:
      'a booked message of a payment names its posting from the collections account, of the same amount and reference',
    offenders: ({ moment }) => `
      select m.id, m.reference, m.amount, t.id as transaction_id, t.amount as posted from inbox.message m
        left join ledger.transaction t on t.id = m.transaction_id left join ledger.account a on a.id = t.source_id
        where m.kind = 'CHARGE' and m.state = 'BOOKED' and ${moment('m.updated_at')}
          and ((t.type, t.amount, t.external_reference, t.currency, a.kind)
              is distinct from ('INBOUND', m.amount, m.reference, m.currency, 'CLEARING_COLLECTION') or t.status = 'Failed')`,
  },
  {
    name: 'collections_have_their_message',
    promise: 'every posting of a collection has the provider’s message',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.amount from ledger.transaction t join ledger.account a on a.id = t.source_id
        where t.type = 'INBOUND' and a.kind = 'CLEARING_COLLECTION' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from inbox.message m where m.transaction_id = t.id and m.state = 'BOOKED' and m.kind = 'CHARGE')`,
  },
  {
    name: 'assigned_accounts_are_audited',
    promise: 'every account number belongs to the wallet that the audit log names',
    offenders: () => `
      select a.id as account_id, a.wallet, a.provider from inbound_accounts.account a
        where a.account_index is not null and encode(a.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = a.wallet and x.action = 'account_number.assign' and x.after ->> 'provider' = a.provider
            order by x.id desc limit 1)`,
  },
];

/** The account numbers of the customer's wallets at providers' banks. */
const exportInboundAccountsOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [rows, total] = await Promise.all([
    inboundAccountsNewest(db, { customerId }),
    inboundAccountsCountAll(db, { customerId }),
  ]);
  return newestOf(
    rows.map((row) => ({ wallet: row.wallet, ...toView(keyring, row) })),
    total?.count ?? 0,
  );
};

function belongsTo(db: Database, { customerId }: OfCustomer) {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  return and(inArray(account.wallet, wallets), isNotNull(account.assignedAt));
}

const inboundAccountsNewest = prepared('inbound-accounts.export', (db, given: OfCustomer) =>
  db.select().from(account).where(belongsTo(db, given)).orderBy(desc(account.id)).limit(EXPORTED_MAX),
);

const inboundAccountsCountAll = preparedOne('inbound-accounts.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(account).where(belongsTo(db, given)),
);

export const room: Room = {
  retention,
  invariants: (deps) => [...paymentsInvariants(deps), ...invariants],
  exports: { receivedFrom: exportReceivedFromOf, inboundAccounts: exportInboundAccountsOf },
  sealedColumns: [...messageColumns, ...accountColumns],
};
