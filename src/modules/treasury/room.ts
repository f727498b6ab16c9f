import type { Invariant, Room } from '#lib/room.ts';
import { rails } from './remit.ts';

const POSTED = `t.status in ('Pending', 'Successful', 'Reversed')`;

/** That `x` is the audit entry of the reversal `t` of `o`. */
const REVERSED = `x.action = 'transaction.reverse' and x.target = o.reference and x.after ->> 'type' = o.type
  and x.after ->> 'reference' = t.reference and (x.after ->> 'amount', x.after ->> 'currency') = (t.amount::text, t.currency)`;

/** That `x` is the audit entry of the remittance `t` out of `a`, or into it where that is a rail's. */
const REMITTED = `x.action = 'account.remit' and x.target = a.kind and x.after ->> 'reference' = t.reference
  and x.after ->> 'currency' = t.currency and (a.kind in (${rails.map((rail) => `'${rail}'`).join()})) = (a.id = t.destination_id)
  and (x.before ->> 'balance')::bigint - (x.after ->> 'balance')::bigint = case a.id when t.source_id then t.amount else -t.amount end`;

/** That `x` is the audit entry of the operator's choice to settle `t` from suspense into `a`. */
const RESOLVED = `x.action = 'suspense.resolve' and x.target = t.reference
  and (x.after ->> 'amount', x.after ->> 'currency') = (t.amount::text, t.currency)
  and case x.after ->> 'to'
    when 'wallet' then (a.kind, a.reference) = ('WALLET', x.after ->> 'wallet')
    else (a.kind, a.partner_id::text) = ('FLOAT', x.after ->> 'float') end`;

/** That `e` settled `t` from suspense: it is its last entry. */
const SETTLED = `t.pending_reason is not null and t.completed_at is not null
  and not exists (select from ledger.entry n where n.transaction_id = t.id and n.leg > e.leg)`;

/** The operator's movements of money, compared with the audit log. */
const invariants: readonly Invariant[] = [
  {
    name: 'reversals_are_audited',
    promise:
      'every reversal of the operator has an audit entry, of the same original and amount, and every such entry has its reversal',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
          left join ledger.transaction o on o.id = t.original_id
        where t.type = 'REVERSAL' and t.namer = 'OPERATOR' and ${POSTED} and ${moment('t.created_at')}
          and not exists (select from audit.entry x where ${REVERSED})
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action = 'transaction.reverse' and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.transaction o on o.id = t.original_id
                            where t.type = 'REVERSAL' and ${POSTED} and ${REVERSED})`,
  },
  {
    name: 'remittances_are_audited',
    promise:
      'every remittance has an audit entry, of the same account and amount, and every such entry has its remittance',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
        where t.type = 'REMITTANCE' and ${POSTED} and ${moment('t.created_at')}
          and not exists (select from audit.entry x join ledger.account a on a.id in (t.source_id, t.destination_id)
                            where ${REMITTED})
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action = 'account.remit' and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.account a on a.id in (t.source_id, t.destination_id)
                            where t.type = 'REMITTANCE' and ${POSTED} and ${REMITTED})`,
  },
  {
    name: 'resolutions_are_audited',
    promise:
      'money from suspense reached its destination or an account that an audit entry names, and every such entry has its movement',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, a.kind, a.reference as settled_into, null::bigint as audit_id
        from ledger.entry e join ledger.transaction t on t.id = e.transaction_id join ledger.account a on a.id = e.account_id
        where ${moment('e.created_at')} and ${SETTLED} and a.id <> t.destination_id
          and not exists (select from audit.entry x where ${RESOLVED})
      union all
      select null, x.target, null, null, x.id from audit.entry x
        where x.action = 'suspense.resolve' and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.entry e on e.transaction_id = t.id
                            join ledger.account a on a.id = e.account_id where ${SETTLED} and ${RESOLVED})`,
  },
];

export const room: Room = { invariants: () => invariants };
