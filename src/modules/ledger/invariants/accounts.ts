import type { SqlInvariant } from '#lib/room.ts';
import { currencies } from '../money.ts';
import { systemAccount, systemAccountKinds } from '../system-accounts.ts';

const OURS = `a.kind not in ('WALLET', 'FLOAT', 'APPLICATION')`;

/** Our own accounts: id, kind and currency. */
const OWN = systemAccountKinds
  .flatMap((kind) => currencies.map((currency) => `(${systemAccount(kind, currency)}, '${kind}', '${currency}')`))
  .join(', ');

/** Accounts: their rules, and what is set aside of them. They are few beside the entries, so a look at what is new reads all. */
export const accounts: readonly SqlInvariant[] = [
  {
    name: 'accounts_are_as_their_kind',
    promise:
      'an account of others is strict, has the floor zero and publishes its movements exactly if it is a wallet’s; ours are deferred and have no floor',
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
    promise: 'there are those accounts of ours that the program knows, under the ids that it knows, and no others',
    offenders: () => `
      select w.id as known, a.id, a.kind, a.currency from (values ${OWN}) w(id, kind, currency)
        full join (select * from ledger.account a where ${OURS}) a on (a.id, a.kind, a.currency) = (w.id, w.kind, w.currency)
        where w.id is null or a.id is null`,
  },
  {
    name: 'floors_hold',
    promise: 'no balance, less what is held of it, is below its floor',
    offenders: () =>
      `select id, posted, suspended, floor from ledger.account where floor is not null and posted - suspended < floor`,
  },
  {
    name: 'suspended_is_what_is_held',
    promise: 'what is set aside of an account is the sum of its open holds',
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
    promise: 'what liens block of an account is the sum of those that are not lifted',
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
