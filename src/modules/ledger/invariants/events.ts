import type { IsSample, SqlInvariant } from '#lib/room.ts';

const WALLET_EVENT = `v.event in ('wallet.credited', 'wallet.debited')`;

/** Minor units as the number that a body says. */
const major = (minor: string): string => `to_jsonb(${minor} / 100.0)`;

/** What the payer pays on top, as the wallet's partner is told. */
const FEE = 'ledger.event_fee(a, e, t)';

/** The events of movements, which the ledger writes. */
export const events = (isSample: IsSample): readonly SqlInvariant[] => [
  {
    name: 'every_movement_is_told_once',
    promise:
      'every movement of a wallet whose partner has a receiver has exactly one event, and no event tells of anything else',
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
      'the body of a wallet’s event says what was posted: amounts, balances, references and time, byte for byte; one that was purged says nothing',
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
