import { equalDigests } from '#lib/crypto/digest.ts';
import type { IsSample, SqlInvariant, StreamedInvariant } from '#lib/room.ts';
import { type Authenticate, factsOf, type PostingFacts } from '../posting.ts';

const CHARGES = '(t.fee + t.commission + t.stamp_duty)';

const NO_SIDE = 'e.account_id <> all (array[t.source_id, t.destination_id])';

/** The entry that left the source. */
const AT_SOURCE = '(e.account_id = t.source_id and not (t.pending_reason is not null and e.amount > 0))';

/** Money from suspense may have been settled into another account than the destination, even into the source. */
const ARRIVED = `(e.account_id = t.destination_id
  or (t.pending_reason is not null and not ${AT_SOURCE} and a.kind in ('SUSPENSE', 'WALLET', 'FLOAT')))`;

const IS_CHARGE = `a.kind in ('FEE', 'COMMISSION', 'STAMP_DUTY')`;

const sum = (column: 'amount' | 'fee', where: string): string =>
  `coalesce(sum(e.${column}) filter (where ${where}), 0)`;

/** The sum on our account of a kind, unless that account is a side of the transaction. */
const taken = (kind: string): string => sum('amount', `a.kind = '${kind}' and ${NO_SIDE}`);

/** The entry in suspense and the one that settles it have the same fee. */
const FEE_ON_ARRIVAL = `coalesce(max(e.fee) filter (where ${ARRIVED}), 0)`;

const count = (where: string): string => `count(*) filter (where ${where})`;

/** A refund returns the amount alone, so it is an ordinary movement; a reversal undoes the charges too. */
const IS_REVERSAL = `t.original_id is not null and t.type <> 'PARTNER_REFUND'`;

/** Transactions, compared with their entries and with each other. */
export const transactions: readonly SqlInvariant[] = [
  {
    name: 'transactions_are_their_entries',
    promise:
      'the amount left the source and reached the destination or suspense, each with the fee of its entry, and every charge went to our account for it',
    offenders: ({ moment }) => `
      select t.id, t.type, t.amount, t.fee, t.commission, t.stamp_duty, ${sum('amount', AT_SOURCE)} as source,
          ${sum('amount', ARRIVED)} as destination, sum(e.fee) as fees
        from ledger.transaction t join ledger.entry e on e.transaction_id = t.id join ledger.account a on a.id = e.account_id
        where t.source_id is not null and t.destination_id is not null and not (${IS_REVERSAL}) and ${moment('t.created_at')}
        group by t.id having
          case when t.source_id = t.destination_id then ${sum('amount', AT_SOURCE)} <> -${CHARGES}
            else ${sum('amount', AT_SOURCE)} <> -(t.amount + ${sum('fee', AT_SOURCE)})
              or case when ${count(ARRIVED)} = 0 then t.amount <> ${CHARGES}
                else ${sum('amount', ARRIVED)} <> t.amount - ${FEE_ON_ARRIVAL}
                  or ${sum('fee', AT_SOURCE)} + ${FEE_ON_ARRIVAL} <> ${CHARGES} end end
          or ${taken('FEE')} <> t.fee or ${taken('COMMISSION')} <> t.commission or ${taken('STAMP_DUTY')} <> t.stamp_duty
          or ${taken('SUSPENSE')} <> case when t.completed_at is null then ${sum('amount', ARRIVED)} else 0 end
          or ${count(`${NO_SIDE} and not ${ARRIVED} and not ${IS_CHARGE}`)} > 0
          or ${sum('fee', `not ${AT_SOURCE} and not ${ARRIVED}`)} > 0
          or not bool_and(a.currency = t.currency)
          or min(e.leg) <> 1 or max(e.leg) <> count(*)`,
  },
  {
    name: 'reversals_undo_their_original',
    promise: 'a reversal and its original sum to zero on every account, except for money that went to suspense',
    offenders: ({ moment }) => `
      select t.id, t.original_id, e.account_id, sum(e.amount) as left_over from ledger.transaction t
        join ledger.transaction o on o.id = t.original_id
        join ledger.entry e on e.transaction_id in (t.id, t.original_id)
        where ${IS_REVERSAL} and t.status <> 'Failed' and t.pending_reason is null and ${moment('t.created_at')}
        group by t.id, e.account_id having sum(e.amount) <> 0`,
  },
  {
    name: 'transactions_say_where_money_went',
    promise:
      'a transaction names its source, its destination and a digest of its request, and stands in the book of one of the two',
    offenders: ({ moment }) => `
      select t.id, t.type, t.partner_id, s.partner_id as source, d.partner_id as destination from ledger.transaction t
        left join ledger.account s on s.id = t.source_id
        left join ledger.account d on d.id = t.destination_id
        where t.status <> 'Failed' and ${moment('t.created_at')}
          and (s.id is null or d.id is null or octet_length(t.request_hash) <> 32
               or (t.partner_id is not null and t.partner_id is distinct from s.partner_id
                   and t.partner_id is distinct from d.partner_id))`,
  },
  // Before transactions had a MAC, the time of one was read before its accounts were locked, and that of its entries after.
  {
    name: 'entries_have_the_time_of_their_transaction',
    promise:
      'an entry has the time of its transaction, or of its settlement from suspense, and the day in Africa/Lagos of that time',
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.created_at, e.business_date, t.created_at as transaction_at, t.completed_at
        from ledger.entry e left join ledger.transaction t on t.id = e.transaction_id
        where ${moment('e.created_at')}
          and (t.id is null or e.business_date <> (e.created_at at time zone 'Africa/Lagos')::date
            or (e.created_at <> t.created_at
                and (e.created_at is distinct from t.completed_at
                  or (t.hold_id is null and (e.leg = 1 or (t.mac is not null and t.pending_reason is null))))
                and (t.mac is not null or e.created_at not between t.created_at and t.created_at + interval '1 minute'))
            or (t.status = 'Pending' and t.completed_at is not null) or (t.status = 'Successful' and t.completed_at is null))`,
  },
  {
    name: 'refused_transactions_moved_nothing',
    promise: 'a transaction has entries exactly if it was neither refused, nor is held or was voided',
    offenders: ({ moment }) => `
      select t.id, t.status, t.code from ledger.transaction t where ${moment('t.created_at')}
        and (t.status in ('Failed', 'Held', 'Voided')) = (exists (select from ledger.entry e where e.transaction_id = t.id))`,
  },
  {
    name: 'two_steps_have_their_hold',
    promise:
      'a two-step posting has a hold of its amount and charges on its source: open while Held, captured once posted, released once Voided',
    offenders: () => `
      select t.id, t.status, t.amount, h.state, h.amount as held from ledger.transaction t left join ledger.hold h on h.id = t.hold_id
        where t.hold_id is not null
          and (h.account_id, h.amount) is distinct from (t.source_id, t.amount + t.fee + t.commission + t.stamp_duty)
          or t.hold_id is not null
            and h.state is distinct from case t.status when 'Held' then 'OPEN' when 'Voided' then 'RELEASED' else 'CAPTURED' end`,
  },
  {
    name: 'refunds_are_counted',
    promise:
      'the refunded amount of a transaction is the sum of its refunds, and it is Reversed exactly if that is the whole amount',
    offenders: ({ since, moment }) => `
      select t.id, t.amount, t.refunded, t.status, r.amount as refunds from ledger.transaction t
        left join (select original_id, sum(amount) as amount from ledger.transaction
                     where original_id is not null and status <> 'Failed'
                       and not (status = 'Reversed' and pending_reason is not null and completed_at is null)
                     group by 1) r on r.original_id = t.id
        where (t.refunded <> coalesce(r.amount, 0) or (t.status = 'Reversed') <> (t.refunded = t.amount))
          ${since === undefined ? '' : `and t.id in (select n.original_id from ledger.transaction n where ${moment('n.created_at')})`}`,
  },
  {
    name: 'refunds_go_back_the_way',
    promise: 'a refund names its original, and goes from its destination to its source',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.original_id from ledger.transaction t left join ledger.transaction o on o.id = t.original_id
        where t.status <> 'Failed' and ${moment('t.created_at')} and t.type = 'PARTNER_REFUND'
          and ((t.destination_id, t.currency) is distinct from (o.source_id, o.currency)
            or (t.source_id <> o.destination_id and not (o.pending_reason is not null and exists (
                  select from ledger.entry e where e.transaction_id = o.id and e.account_id = t.source_id and e.amount > 0))))`,
  },
  {
    name: 'suspense_is_what_waits',
    promise: 'the suspense account holds exactly the pending transactions’ money',
    offenders: () => `
      select a.id, a.currency, a.posted + coalesce(d.amount, 0) as suspense, t.amount as waiting from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select w.account_id, sum(w.amount) as amount from ledger.transaction p
                     join ledger.entry w on w.transaction_id = p.id and w.amount > 0 where p.status = 'Pending' group by 1) t
          on t.account_id = a.id
        where a.kind = 'SUSPENSE' and a.posted + coalesce(d.amount, 0) <> coalesce(t.amount, 0)`,
  },
];

type Row = Record<Exclude<keyof PostingFacts, 'refundsRemainder'>, string | null> & { id: string; mac: string | null };

/**
 * Finds transactions whose MAC is missing or does not match: no operation of ours posted them, or they were altered. Transactions
 * posted before the first MAC are skipped. The MAC does not cover metadata and times; the seals do.
 */
export const postingsAreAuthentic = (authenticate: Authenticate): StreamedInvariant => ({
  name: 'postings_are_authentic',
  promise: 'every transaction was posted by an operation of ours and was not altered since',
  async *find(reader, scope) {
    const rows = reader.stream<Row>(`
      select id, owner_id as owner, namer, reference, encode(request_hash, 'hex') as "requestHash", partner_id as partner, type,
        currency, source_id as source, destination_id as destination, amount, fee, commission, stamp_duty as "stampDuty",
        external_reference as "externalReference", comment, original_id as original,
        case when mac is not null then encode(mac, 'hex')
             when id < coalesce((select min(id) from ledger.transaction where mac is not null), id + 1) then '' end as mac
      from ledger.transaction where ${scope.moment('created_at')}`);
    for await (const row of rows) {
      if (row.mac === '' || isVouchedFor(row, authenticate)) continue;
      yield { id: row.id, owner_id: row.owner, namer: row.namer, reference: row.reference };
    }
  },
});

function isVouchedFor({ mac, ...row }: Row, authenticate: Authenticate): boolean {
  if (mac === null) return false;
  const id = (value: string | null): number | null => (value === null ? null : Number(value));
  const facts = {
    ...row,
    source: id(row.source),
    destination: id(row.destination),
    original: id(row.original),
  } as unknown as PostingFacts;
  const isMadeOf = (made: PostingFacts) => equalDigests(Buffer.from(mac, 'hex'), authenticate(factsOf(made)));
  return isMadeOf(facts) || (facts.original !== null && isMadeOf({ ...facts, refundsRemainder: true }));
}

const WALLET_EVENT = `v.event in ('wallet.credited', 'wallet.debited')`;

/** Minor units as the number in a body. */
const major = (minor: string): string => `to_jsonb(${minor} / 100.0)`;

/** The fee that the payer pays on top, as the event has it. */
const FEE = 'ledger.event_fee(a, e, t)';

/** The events of movements, which the ledger writes. */
export const events = (isSample: IsSample): readonly SqlInvariant[] => [
  {
    name: 'every_movement_is_told_once',
    promise:
      'every movement of a wallet whose partner has a receiver has exactly one event, and no wallet event lacks a movement',
    offenders: ({ moment, around }) => `
      select m.account_id, m.version, min(m.wallet) as wallet, sum(m.entries) as entries, sum(m.events) as events from (
          select e.account_id, e.version, e.amount > 0 as credit, null as wallet, 1 as entries, 0 as events,
              ${moment('e.created_at')} as looked_at
            from ledger.entry e join ledger.account a on a.id = e.account_id and a.kind = 'WALLET'
              join outbox.receiver r on r.owner_id = a.partner_id
            where ${around('e.created_at')}
          union all
          select a.id, v.sequence, v.event = 'wallet.credited', v.reference, 0, 1, ${moment('v.created_at')}
            from outbox.event v join outbox.receiver r on r.id = v.receiver_id
              left join ledger.account a on a.kind = 'WALLET' and a.partner_id = r.owner_id and a.reference = v.reference
            where ${WALLET_EVENT} and ${around('v.created_at')}
              and not (a.id is null and ${isSample('v.reference')})) m
        group by m.account_id, m.version, m.credit
        having (sum(m.entries) <> 1 or sum(m.events) <> 1) and bool_or(m.looked_at)`,
  },
  {
    name: 'events_say_what_was_posted',
    promise:
      'the body of a wallet’s event equals the posting: amounts, balances, references and time, byte for byte; a purged event has no body',
    offenders: ({ moment }) => `
      select v.id as event_id, e.transaction_id, e.leg, v.reference as wallet from outbox.event v
        join outbox.receiver r on r.id = v.receiver_id
        join ledger.account a on a.kind = 'WALLET' and a.partner_id = r.owner_id and a.reference = v.reference
        join ledger.entry e on e.account_id = a.id and e.version = v.sequence
        join ledger.transaction t on t.id = e.transaction_id
        cross join lateral (select case when v.body is json object then v.body::jsonb end as body offset 0) b
        cross join lateral (select b.body -> 'data' as data, b.body #> '{data,Transaction}' as said offset 0) d
        where ${WALLET_EVENT} and v.body is not null and ${moment('v.created_at')}
          and ((b.body ->> 'event', b.body ->> 'reference', d.data -> 'Amount', d.data ->> 'Operation',
                d.data -> 'OpeningBalance', d.data -> 'ClosingBalance', d.data ->> 'CreatedAt',
                d.said -> 'Amount', d.said -> 'Fee', d.said ->> 'Reference', coalesce(d.said ->> 'Comment', ''))
               is distinct from
               (v.event, a.reference, ${major('e.amount')}, case when e.amount > 0 then 'Credit' else 'Debit' end,
                ${major('e.opening')}, ${major('e.closing')},
                to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                ${major('ledger.event_amount(e, t)')}, ${major(FEE)}, t.reference, coalesce(t.comment, ''))
            or coalesce(d.said ->> 'ExternalReference', '') not in ('', coalesce(t.external_reference, ''))
            or v.body <> ledger.movement_body(a, e, t))`,
  },
];
