import type { Invariant } from '#lib/invariant.ts';

/** What must be true of applications at any moment. */
export const invariants: readonly Invariant[] = [
  {
    name: 'applications_have_wallets_and_a_receiver',
    promise:
      'every application but our own has a settlement wallet in each currency and a receiver for its events, and no such wallet is without its application',
    offenders: () => `
      select p.id as application_id, f.reference as wallet, f.currencies, r.id as receiver_id
        from (select * from applications.application where not built_in) p
        full join (select reference, count(*) as currencies from ledger.account where kind = 'APPLICATION' group by 1) f
          on f.reference = p.id::text
        left join outbox.receiver r on r.owner_id = p.id and r.owner_kind = 'APPLICATION'
        where p.id is null or f.currencies is distinct from 2 or r.id is null`,
  },
  {
    name: 'application_fundings_are_audited',
    promise:
      'every funding of a settlement wallet has its audit entry, of the same amount, but for the test money of the sandbox, and no audit entry is without its funding',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
          join ledger.account a on a.id = t.destination_id
        where t.type = 'APPLICATION_FUNDING' and t.status in ('Successful', 'Reversed') and ${moment('t.created_at')}
          and not (t.owner_id::text = a.reference and t.reference = 'test-money')
          and not exists (
            select from audit.entry x where x.target = a.reference and x.action = 'application.fund'
              and x.after ->> 'reference' = t.reference and x.after ->> 'currency' = t.currency
              and (x.after ->> 'balance')::bigint - (x.before ->> 'balance')::bigint = t.amount)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x where x.action = 'application.fund' and ${moment('x.at')}
        and not exists (select from ledger.transaction t join ledger.account a on a.id = t.destination_id
                          where t.reference = x.after ->> 'reference' and t.type = 'APPLICATION_FUNDING'
                            and a.reference = x.target and t.status in ('Successful', 'Reversed'))`,
  },
];
