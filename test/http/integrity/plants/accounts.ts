import type { Plant } from './plant.ts';
import { FLOAT, WALLET } from './rows.ts';

const disabled = (relation: string, trigger: string): string => `
  alter table ${relation} disable trigger ${trigger}; select '${trigger}' as trigger, 'D' as state`;

export const accountPlants: readonly Plant[] = [
  {
    what: 'a floor above the balance',
    statement: `
      alter table ledger.account drop constraint account_floor;
      update ledger.account set floor = posted - suspended + 1 where id = ${WALLET} returning id, floor`,
    seenBy: ['accounts_are_as_their_kind', 'floors_hold'],
  },
  {
    what: 'a floor removed',
    statement: `update ledger.account set floor = null where id = ${WALLET} returning id, floor`,
    seenBy: ['accounts_are_as_their_kind'],
  },
  {
    what: 'the events of a wallet turned off',
    statement: `update ledger.account set emits = false where id = ${WALLET} returning id, emits`,
    seenBy: ['accounts_are_as_their_kind'],
  },
  {
    what: 'a float that is blocked',
    statement: `update ledger.account set status = 'Blocked' where id = ${FLOAT} returning id, status`,
    seenBy: ['only_wallets_are_restricted'],
  },
  {
    what: 'another account for what we earn',
    statement: `
      insert into ledger.account (kind, reference, currency, lock_mode) values ('FEE', 'another', 'NGN', 'deferred') returning id, kind`,
    seenBy: ['our_accounts_are_the_known_ones'],
  },
  {
    what: 'the constraint dropped that refuses a posting without a MAC',
    statement: `
      alter table ledger.transaction alter column mac drop not null; select 'transaction_mac_not_null' as constraint`,
    seenBy: ['macs_are_required'],
  },
  {
    what: 'money set aside without a hold',
    statement: `update ledger.account set suspended = suspended + 1 where id = ${WALLET} returning id`,
    seenBy: ['suspended_is_what_is_held'],
  },
  {
    what: 'a hold that was closed without giving back',
    statement: `
      update ledger.hold set state = 'RELEASED', closed_at = now() where id = (select min(id) from ledger.hold where state = 'OPEN' and reference like 'SWT-%')
        returning account_id as id`,
    seenBy: ['suspended_is_what_is_held', 'tag_transactions_are_their_money'],
  },
  {
    what: 'a captured hold that says it expired, before its time',
    statement: `
      update ledger.hold set state = 'EXPIRED' where id = (select min(id) from ledger.hold where state = 'CAPTURED' and reference like 'SWT-%') returning id, state`,
    seenBy: ['holds_end_as_they_say', 'tag_transactions_are_their_money'],
  },
  {
    what: 'a released hold that says it was captured',
    statement: `
      update ledger.hold set state = 'CAPTURED' where id = (select min(h.id) from ledger.hold h
          where h.state = 'RELEASED' and not exists (select from ledger.transaction t where t.hold_id = h.id))
        returning state as hold, amount as held`,
    seenBy: ['tag_transactions_are_their_money'],
  },
  {
    what: 'a lien that was lifted on paper alone',
    statement: `
      update ledger.lien set lifted_at = now() where id = (select min(id) from ledger.lien where lifted_at is null and held_for is null)
        returning account_id as id`,
    seenBy: ['liens_are_those_in_force'],
  },
  {
    what: 'a lien that was lifted without an audit entry',
    statement: `
      with lifted as (
        update ledger.lien set lifted_at = now() where id = (select min(id) from ledger.lien where lifted_at is null and held_for is null) returning *)
      update ledger.account a set liens = a.liens - lifted.amount from lifted where a.id = lifted.account_id returning a.reference`,
    seenBy: ['liens_are_audited'],
  },
  {
    what: 'the trigger off that keeps entries as they are',
    statement: disabled('ledger.entry', 'entry_immutable'),
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the trigger dropped that refuses unbalanced postings',
    statement: `drop trigger entry_balanced on ledger.entry; select 'entry_balanced' as trigger, null as state`,
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps entries as they are',
    statement: disabled('ledger.entry', 'entry_immutable'),
    seenBy: ['ledger_triggers_are_on'],
  },
  {
    what: 'the key dropped that numbers entries once',
    statement: `
      alter table ledger.entry drop constraint entry_version; select 'UNIQUE (account_id, version)' as key`,
    seenBy: ['entries_have_their_keys'],
  },
  {
    what: 'the trigger off that keeps audit entries as they are',
    statement: disabled('audit.entry', 'entry_immutable'),
    seenBy: ['audit_triggers_are_on'],
  },
  {
    what: 'the trigger off that gives events their deliveries',
    statement: disabled('outbox.event', 'create_deliveries'),
    seenBy: ['delivery_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps events as they are',
    statement: disabled('outbox.event', 'event_immutable'),
    seenBy: ['delivery_triggers_are_on'],
  },
  {
    what: 'the trigger off that keeps events from being deleted',
    statement: disabled('outbox.event', 'event_kept'),
    seenBy: ['delivery_triggers_are_on'],
  },
];
