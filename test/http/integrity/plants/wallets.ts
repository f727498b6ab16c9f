import { newest, type Plant } from './plant.ts';

/** Two wallets of KYC profiles in naira that nobody has changed the rules of. */
const TWO = `
  (select w.* from wallets.partner_wallet w join ledger.account a on a.id = w.account_id
     where w.kyc_profile_id is not null and w.revoked_at is null and a.currency = 'NGN'
       and not exists (select from audit.entry x where x.target = w.reference) order by w.id limit 2)`;
const ONE = `(select id from ${TWO} one order by id limit 1)`;
const CHANGED = `(select w.account_id from wallets.partner_wallet w join audit.entry x on x.target = w.reference and x.action = 'wallet.change' limit 1)`;
const PRIMARY = `(select max(id) from wallets.partner_wallet where is_primary)`;

export const walletPlants: readonly Plant[] = [
  {
    what: 'an account linked that its customer did not link last',
    statement: `
      insert into bank_accounts.linked_account (customer_id, partner_id, bank_code, bank_name, account_number_sealed, account_index,
          account_name_sealed, linked_at)
        select customer_id, partner_id, '044', 'Access Bank', '\\x01', '\\x01', '\\x01', now() from wallets.partner_wallet
          where id = ${PRIMARY} returning customer_id, partner_id`,
    seenBy: ['linked_accounts_are_audited'],
  },
  {
    what: 'an account number that its provider did not assign to this wallet',
    statement: `
      update inbound_accounts.account set account_index = sha256(account_index) where account_index is not null
        returning id as account_id, wallet`,
    seenBy: ['assigned_accounts_are_audited'],
  },
  {
    what: 'the accounts of two wallets swapped',
    statement: `
      alter table wallets.partner_wallet drop constraint partner_wallet_account_id_unique;
      update wallets.partner_wallet w set account_id = other.account_id from (select * from wallets.partner_wallet) other
        where w.id in (select id from ${TWO} t) and other.id in (select id from ${TWO} t) and other.id <> w.id
        returning w.id as wallet_id, w.account_id`,
    seenBy: ['wallets_are_their_accounts'],
  },
  {
    what: 'a wallet that is gone, and its account not',
    statement: `delete from wallets.partner_wallet where id = ${ONE} returning account_id`,
    seenBy: ['wallets_are_their_accounts'],
  },
  {
    what: 'a revoked wallet that is open again on paper',
    statement: `update wallets.partner_wallet set revoked_at = null where revoked_at is not null returning id as wallet_id`,
    seenBy: ['wallets_are_their_accounts'],
  },
  {
    what: 'a revoked wallet that takes money again',
    statement: `
      with w as (update wallets.partner_wallet set revoked_at = null where revoked_at is not null returning *)
      update ledger.account a set closed_at = null, status = 'Enabled' from w where a.id = w.account_id returning a.reference`,
    seenBy: ['wallet_rules_are_audited'],
  },
  {
    what: 'an account number without its check digit',
    statement: `
      update wallets.partner_wallet set nuban = left(nuban, 9) || (right(nuban, 1)::int + 1) % 10 where id = ${ONE}
        returning id as wallet_id, nuban`,
    seenBy: ['nubans_are_valid'],
  },
  {
    what: 'the account numbers of two wallets swapped that were not opened at the same time',
    statement: `
      update wallets.partner_wallet set created_at = now() - interval '1 day' + id * interval '10 minutes';
      create table swapped as select id, nuban from ${TWO} t;
      update wallets.partner_wallet w set nuban = 'swapping' || s.id from swapped s where s.id = w.id;
      update wallets.partner_wallet w set nuban = s.nuban from swapped s
        where w.id in (select id from swapped) and s.id <> w.id and w.id = (select max(id) from swapped)
        returning w.id as wallet_id, w.nuban;
      update wallets.partner_wallet w set nuban = s.nuban from swapped s where w.nuban like 'swapping%' and s.id <> w.id;
      select max(s.id) as wallet_id from swapped s`,
    seenBy: ['nubans_are_in_the_order_of_their_wallets'],
  },
  {
    what: 'a customer whose PayTag leads to no wallet',
    statement: `update wallets.partner_wallet set is_primary = false where id = ${PRIMARY} returning customer_id, id as first`,
    seenBy: ['primary_wallets_are_audited', 'the_primary_wallet_is_the_first'],
  },
  {
    what: 'a wallet whose spending counts for somebody else',
    statement: `
      update ledger.account set holder_id = uuidv7() where id = (select account_id from wallets.partner_wallet where id = ${PRIMARY})
        returning id as account_id`,
    seenBy: ['spending_is_what_was_spent', 'wallets_are_their_accounts'],
  },
  {
    what: 'spending that was erased',
    statement: `delete from ledger.spending where spent > 0 returning holder_id`,
    seenBy: ['spending_is_what_was_spent'],
  },
  {
    what: 'spending that was forgotten',
    statement: `update ledger.spending set spent = spent - 1 where spent > 0 returning holder_id, spent`,
    seenBy: ['spending_is_what_was_spent'],
  },
  {
    what: 'a status that nobody set',
    statement: `update ledger.account set status = 'PND' where id = ${CHANGED} returning reference, status`,
    seenBy: ['wallet_rules_are_audited'],
  },
  {
    what: 'a daily limit that nobody set',
    statement: `update ledger.account set daily_limit = 99999999 where id = ${CHANGED} returning reference, daily_limit`,
    seenBy: ['wallet_rules_are_audited'],
  },
  {
    what: 'a tier that nobody gave',
    statement: `update wallets.partner_wallet set tier = 3 where id = ${ONE} returning reference, tier`,
    seenBy: ['wallet_rules_are_audited'],
  },
  {
    what: 'a change of a wallet whose audit entry is gone',
    statement: `
      with gone as (delete from audit.entry where action = 'wallet.change' returning target)
      select w.reference from wallets.partner_wallet w join gone on gone.target = w.reference
        join ledger.account a on a.id = w.account_id where a.daily_limit is not null`,
    seenBy: ['wallet_rules_are_audited'],
  },
  {
    what: 'a settlement of a float whose audit entry is gone',
    statement: `delete from audit.entry where action = 'float.settle' returning after ->> 'reference' as reference`,
    seenBy: ['float_movements_are_audited'],
  },
  {
    what: 'an audit entry of a funding that never was',
    triggers: 'on',
    statement: `
      insert into audit.entry (actor, action, target, after) select 'cli', 'float.fund', target, '{"reference": "never"}' from audit.entry
        where action = 'float.fund' limit 1 returning id as audit_id`,
    seenBy: ['float_movements_are_audited'],
  },
  {
    what: 'a refund by the operator whose audit entry is gone',
    statement: `
      delete from audit.entry where id = (select max(id) from audit.entry where action = 'transaction.refund')
        returning after ->> 'reference' as reference`,
    seenBy: ['operator_refunds_are_audited'],
  },
  {
    what: 'a funding of an application whose audit entry is gone',
    statement: `delete from audit.entry where action = 'application.fund' returning after ->> 'reference' as reference`,
    seenBy: ['application_movements_are_audited'],
  },
  {
    what: 'a partner whose receiver is gone',
    statement: `
      delete from outbox.receiver where owner_id = (select partner_id from ledger.transaction where id = ${newest('PARTNER_TERMINAL')})
        returning owner_id as partner_id`,
    seenBy: ['events_have_a_receiver', 'partners_have_floats_and_a_receiver'],
  },
  {
    what: 'an application whose receiver is gone',
    statement: `
      delete from outbox.receiver where owner_id = (select max(id::text)::uuid from applications.application where name = 'Market')
        returning owner_id as application_id`,
    seenBy: ['applications_have_wallets_and_a_receiver', 'events_have_a_receiver'],
  },
];
