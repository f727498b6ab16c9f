import type { SqlInvariant } from '#lib/room.ts';
import { currencies } from '../money.ts';
import { systemAccount, systemAccountKinds } from '../system-accounts.ts';

/**
 * The months in Africa/Lagos that have entries, in SQL: the first has everything before its end, and the last has none. No entry
 * is written into one that is over.
 */
const MONTHS = `
  select case when m.month > s.first then to_json(m.month at time zone 'Africa/Lagos') #>> '{}' end as starts,
      case when m.month < s.this then to_json((m.month + interval '1 month') at time zone 'Africa/Lagos') #>> '{}' end as ends
    from (select date_trunc('month', coalesce((select created_at from ledger.transaction order by id limit 1), now())
                   at time zone 'Africa/Lagos') as first,
             date_trunc('month', now() at time zone 'Africa/Lagos') as this) s
      cross join generate_series(s.first, s.this, interval '1 month') m (month)`;

/** Each numbered entry with the one before it: from the same slice, or else looked up. */
const FOLLOWED = (moment: (column: string) => string): string => `
      (select e.*, lag(e.version) over history as last, lag(e.closing) over history as last_closing,
           lag(e.created_at) over history as last_at
         from ledger.entry e where e.version is not null and ${moment('e.created_at')}
         window history as (partition by e.account_id order by e.version)) e
        left join lateral (
          select p.version, p.closing, p.created_at from (select where e.last is distinct from e.version - 1 offset 0) needed
            cross join lateral (select o.version, o.closing, o.created_at from ledger.entry o
              where o.account_id = e.account_id and o.version = e.version - 1 limit 1) p) p on true
        cross join lateral (select case when e.last = e.version - 1 then e.last else p.version end as version,
            case when e.last = e.version - 1 then e.last_closing else p.closing end as closing,
            case when e.last = e.version - 1 then e.last_at else p.created_at end as at) b`;

/** Entries, and the balances that they add up to. */
export const balances: readonly SqlInvariant[] = [
  {
    name: 'transactions_balance',
    promise: 'the entries of a transaction sum to zero in each currency',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, a.currency, sum(e.amount) as sum from ledger.entry e
        join ledger.account a on a.id = e.account_id where ${moment('e.created_at')} group by 1, 2 having sum(e.amount) <> 0`,
  },
  {
    name: 'books_sum_to_zero',
    promise: 'all balances together are zero in each currency',
    offenders: () => `
      select a.currency, sum(a.posted + coalesce(d.amount, 0)) as sum from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        group by 1 having sum(a.posted + coalesce(d.amount, 0)) <> 0`,
  },
  {
    name: 'balances_are_their_entries',
    promise:
      'the balance of a strict account is the closing balance of its last entry, and its version is the number of that entry',
    offenders: ({ moment }) => `
      select a.id, a.posted, a.version, l.closing, l.version as last from ledger.account a
        left join lateral (select e.closing, e.version from ledger.entry e
                             where e.account_id = a.id and e.version is not null order by e.version desc limit 1) l on true
        where a.lock_mode = 'strict' and ${moment('a.updated_at')}
          and (a.posted, a.version) is distinct from (coalesce(l.closing, 0), coalesce(l.version, 0))`,
  },
  {
    name: 'deferred_balances_are_their_entries',
    promise: 'the balance of a deferred account, with its pending deltas, is the sum of its entries',
    wholeOnly: 'it is the sum of every entry there ever was',
    offenders: () => `
      select a.id, a.posted, d.amount as waiting, e.amount as entries from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select account_id, sum(amount) as amount from ledger.entry where version is null group by 1) e on e.account_id = a.id
        where a.lock_mode = 'deferred' and a.posted + coalesce(d.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    name: 'histories_are_unbroken',
    promise:
      'each entry of a strict account opens with the closing balance of the entry before it, and no number is missing',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.opening, b.closing as before from ${FOLLOWED(moment)}
        where e.opening <> coalesce(b.closing, 0) or e.closing <> e.opening + e.amount or (b.version is null) <> (e.version = 1)`,
  },
  // Before transactions had a MAC, the time of one was read before its accounts were locked.
  {
    name: 'histories_run_forwards',
    promise: 'no entry of a strict account is older than the one before it',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.created_at, b.at as before from ${FOLLOWED(moment)}
        where e.created_at < b.at
          and exists (select from ledger.transaction t where t.id = e.transaction_id and t.mac is not null)`,
  },
  {
    name: 'nothing_is_dated_ahead',
    promise: 'no transaction and no entry is dated more than a minute ahead',
    offenders: () => `
      select e.transaction_id as id, e.leg, e.created_at from ledger.entry e where e.created_at > now() + interval '1 minute'
      union all
      select t.id, null, t.created_at from ledger.transaction t where t.created_at > now() + interval '1 minute'`,
  },
];

const OURS = `a.kind not in ('WALLET', 'FLOAT', 'APPLICATION')`;

/** Our own accounts: id, kind and currency. */
const OWN = systemAccountKinds
  .flatMap((kind) => currencies.map((currency) => `(${systemAccount(kind, currency)}, '${kind}', '${currency}')`))
  .join(', ');

/** Accounts: their rules, and what is set aside of them. There are few of them compared with entries, so every check reads all. */
export const accounts: readonly SqlInvariant[] = [
  {
    name: 'accounts_are_as_their_kind',
    promise:
      'accounts of wallets, floats and applications are strict with a floor of zero, and only wallets publish their movements; our own are deferred and have no floor',
    offenders: () => `
      select a.id, a.kind, a.lock_mode, a.floor, a.emits, a.partner_id, a.reference from ledger.account a
        where case when ${OURS} then (a.lock_mode, a.floor, a.emits, a.partner_id) is distinct from ('deferred', null, false, null)
          else a.lock_mode <> 'strict' or a.floor is distinct from 0 or a.emits <> (a.kind = 'WALLET')
            or (a.partner_id is null) <> (a.kind = 'APPLICATION')
            or (a.kind = 'FLOAT' and a.reference <> a.partner_id::text) end`,
  },
  {
    name: 'only_wallets_are_restricted',
    promise: 'every account but that of a wallet is Enabled, open and without a daily limit',
    offenders: () => `
      select id, kind, reference, status, closed_at, daily_limit from ledger.account
        where kind <> 'WALLET' and (status <> 'Enabled' or closed_at is not null or daily_limit is not null)`,
  },
  {
    name: 'our_accounts_are_the_known_ones',
    promise: 'our own accounts are exactly those that the program knows, under the ids that it knows',
    offenders: () => `
      select w.id as known, a.id, a.kind, a.currency from (values ${OWN}) w(id, kind, currency)
        full join (select * from ledger.account a where ${OURS}) a on (a.id, a.kind, a.currency) = (w.id, w.kind, w.currency)
        where w.id is null or a.id is null`,
  },
  {
    name: 'floors_hold',
    promise: 'no balance, less its holds, is below its floor',
    offenders: () =>
      `select id, posted, suspended, floor from ledger.account where floor is not null and posted - suspended < floor`,
  },
  {
    name: 'suspended_is_what_is_held',
    promise: 'the suspended amount of an account is the sum of its open holds',
    offenders: () => `
      select a.id, a.suspended, h.amount as held from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.hold where state = 'OPEN' group by 1) h on h.account_id = a.id
        where a.suspended <> coalesce(h.amount, 0)`,
  },
  {
    name: 'holds_end_as_they_say',
    promise: 'a hold that expired did so after its time, and one has a code exactly if it was refused',
    offenders: ({ since, moment }) => `
      select id, state, code, expires_at, closed_at from ledger.hold
        where (${moment('created_at')}${since === undefined ? '' : ` or ${moment('closed_at')}`})
          and ((state = 'REFUSED') <> (code is not null) or (state = 'EXPIRED' and closed_at < expires_at))`,
  },
  {
    name: 'liens_are_those_in_force',
    promise: 'the blocked amount of an account is the sum of its liens in force',
    offenders: () => `
      select a.id, a.liens, l.amount as in_force from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.lien where lifted_at is null group by 1) l on l.account_id = a.id
        where a.liens <> coalesce(l.amount, 0)`,
  },
  {
    name: 'ledger_triggers_are_on',
    promise: 'the triggers that refuse an unbalanced posting and the change of an entry are there and in force',
    offenders: () => `
      select w.trigger, t.tgenabled as state from (values ('entry_balanced'), ('entry_immutable')) w(trigger)
        left join pg_trigger t on t.tgrelid = to_regclass('ledger.entry') and t.tgname = w.trigger
        where t.tgenabled is null or t.tgenabled not in ('O', 'A')`,
  },
  {
    name: 'entries_have_their_keys',
    promise:
      'entries are held by their keys: one row for each leg and each number, of a transaction and an account that exist',
    offenders: () => `
      select k.key from (values ('PRIMARY KEY (transaction_id, leg)'), ('UNIQUE (account_id, version)'),
          ('FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id)'),
          ('FOREIGN KEY (account_id) REFERENCES ledger.account(id)')) k(key)
        where not exists (select from pg_constraint c
                            where c.conrelid = to_regclass('ledger.entry') and pg_get_constraintdef(c.oid) = k.key)`,
  },
  {
    name: 'macs_are_required',
    promise: 'the constraint that refuses a posting without a MAC is there and in force',
    offenders: () => `
      select w.constraint from (values ('transaction_mac_not_null')) w("constraint")
        where not exists (select from pg_constraint c where c.conrelid = to_regclass('ledger.transaction')
                            and c.conname = w.constraint and c.contype = 'n' and c.convalidated)`,
  },
];
