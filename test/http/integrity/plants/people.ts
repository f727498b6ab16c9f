import { LAST_TOLD, named, type Plant, WALLET } from './plant.ts';

/** An operator whom the audit log knows, with a role, a state and a token that it may not know. */
const operator = (role: string, status: string, expires = '2030-01-01T00:00:00Z') => `
  insert into operators.operator (name, role, status, token_digest, token_expires_at, created_at, updated_at)
    values ('Ngozi', '${role}', '${status}', '\\x01', '${expires}', now(), now());
  insert into audit.entry (actor, action, target, after)
    select 'operator:root', 'operator.create', id::text, '{"role": "viewer", "tokenExpiresAt": "2030-01-01T00:00:00.000Z"}'
      from operators.operator;
  select id as operator_id from operators.operator`;

/** Credentials that no operation made. */
export const credentialPlants: readonly Plant[] = [
  {
    what: 'an operator whom nobody made',
    statement: `
      insert into operators.operator (name, role, token_digest, token_expires_at, created_at, updated_at)
        values ('Insider', 'admin', '\\x01', now(), now(), now()) returning id as operator_id, role`,
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whose role nobody raised',
    statement: operator('admin', 'ACTIVE'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whom nobody disabled',
    statement: operator('viewer', 'DISABLED'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an operator whose token nobody prolonged',
    statement: operator('viewer', 'ACTIVE', '2031-01-01T00:00:00Z'),
    seenBy: ['operators_are_audited'],
  },
  {
    what: 'an API key that nobody added',
    statement: `
      insert into partners.api_key (partner_id, digest, routing_mac) select max(id::text)::uuid, '\\x01', '\\x01' from partners.partner
        returning id as key_id`,
    seenBy: ['api_keys_are_audited'],
  },
  {
    what: 'an API key that nobody revoked',
    statement: `
      update partners.api_key set revoked_at = now() where id = (select max(id::text)::uuid from partners.api_key)
        returning id as key_id`,
    seenBy: ['api_keys_are_audited'],
  },
];

const PARTNER = '(select max(id::text)::uuid from partners.partner)';
const APPLICATION = '(select max(id::text)::uuid from applications.application where not built_in)';

/** Where events, logins and secrets go, as no operation of ours says: by rows that may have been ours once, with their MAC. */
export const destinationPlants: readonly Plant[] = [
  {
    what: 'a redirect URL that nobody set',
    statement: `update partners.partner set redirect_url = 'https://evil.example/' where id = ${PARTNER} returning id as partner_id`,
    seenBy: ['redirect_urls_are_audited'],
  },
  {
    what: 'a contact that nobody set',
    statement: `update partners.partner set contact_email_sealed = '\\x03' where id = ${PARTNER} returning id as partner_id`,
    seenBy: ['contacts_are_audited'],
  },
  {
    what: 'a contact that nobody has proven',
    statement: `insert into letters.proven_contact (owner_id, address_digest, proven_at, routing_mac)
      values (${PARTNER}, '\\x01', now(), '\\x01') returning owner_id`,
    seenBy: ['proven_contacts_are_audited'],
  },
  {
    what: 'pages of an application that nobody registered',
    statement: `update applications.application set return_urls = '{https://evil.example/}' where id = ${APPLICATION}
      returning id as application_id`,
    seenBy: ['application_credentials_are_audited'],
  },
  {
    what: 'a secret of an application that was taken back',
    statement: `update applications.application set previous_secret_digest = secret_digest, previous_secret_until = now()
      where id = ${APPLICATION} returning id as application_id`,
    seenBy: ['application_credentials_are_audited'],
  },
  {
    what: 'a receiver whose URL nobody set',
    statement: `update outbox.receiver set url = 'https://evil.example/' where owner_id = ${PARTNER} returning id as receiver_id`,
    seenBy: ['receivers_are_audited'],
  },
  {
    what: 'a receiver that is told what nobody asked for',
    statement: `update outbox.receiver set events = '{payout.sent}' where owner_id = ${PARTNER} returning id as receiver_id`,
    seenBy: ['receivers_are_audited'],
  },
];

const ACCOUNT = `(select a.id from ledger.account a where a.kind = 'WALLET' and a.reference = v.reference)`;
const body = (replaced: string, by: string): string => `
  update outbox.event set body = replace(body, '${replaced}', '${by}') where id = ${LAST_TOLD} returning id as event_id`;
const delivery = (status: string): string =>
  `(select max(id::text)::uuid from webhooks.delivery where status = '${status}')`;

export const eventPlants: readonly Plant[] = [
  {
    what: 'a movement that was not told',
    statement: `
      with gone as (delete from outbox.event v where v.id = ${LAST_TOLD} returning v.*),
        undelivered as (delete from webhooks.delivery where event_id in (select id from gone))
      select ${ACCOUNT} as account_id, v.sequence as version, '0' as events from gone v`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told twice',
    triggers: 'on',
    statement: `
      insert into outbox.event as v (receiver_id, event, reference, body, sequence)
        select receiver_id, event, reference, body, sequence from outbox.event where id = ${LAST_TOLD}
        returning ${ACCOUNT} as account_id, v.sequence as version, '2' as events`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a credit that was told as a debit',
    statement: `
      update outbox.event v set event = 'wallet.debited' where id = ${LAST_TOLD}
        returning ${ACCOUNT} as account_id, v.sequence as version, '0' as events`,
    seenBy: ['events_say_what_was_posted', 'every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told and never happened',
    triggers: 'on',
    statement: `
      insert into outbox.event (receiver_id, event, reference, body, sequence)
        select receiver_id, event, reference, body, 4711 from outbox.event where id = ${LAST_TOLD}
        returning reference as wallet, sequence as version`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'a movement that was told as a sample, where there is no sandbox',
    triggers: 'on',
    statement: `
      insert into outbox.event (receiver_id, event, reference, body, sequence)
        select receiver_id, event, 'sandbox-for-show', body, 1 from outbox.event where id = ${LAST_TOLD}
        returning reference as wallet`,
    seenBy: ['every_movement_is_told_once'],
  },
  {
    what: 'an event that says another amount',
    statement: body('"Amount":3', '"Amount":4'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another balance',
    statement: body('"OpeningBalance":', '"OpeningBalance":1'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another status',
    statement: body('"Status":"Successful"', '"Status":"Failed"'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says more',
    statement: body('"Operation":', '"Urgent":1,"Operation":'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says another time',
    statement: body('"CreatedAt":"20', '"CreatedAt":"19'),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event that says nothing that can be read',
    statement: body('{', '['),
    seenBy: ['events_say_what_was_posted'],
  },
  {
    what: 'an event without a delivery',
    statement: `delete from webhooks.delivery where id = ${delivery('PENDING')} returning event_id`,
    seenBy: ['events_have_deliveries'],
  },
  {
    what: 'an event of nobody, with its delivery',
    statement: `
      with event as (insert into outbox.event (receiver_id, event, reference, body, sequence)
        select gen_random_uuid(), event, reference, body, sequence from outbox.event where id = ${LAST_TOLD} returning id, receiver_id)
      insert into webhooks.delivery (event_id, receiver_id) select id, receiver_id from event returning event_id`,
    seenBy: ['events_have_a_receiver'],
  },
  {
    what: 'a delivery to somebody else',
    statement: `
      update webhooks.delivery d set receiver_id = (select r.id from outbox.receiver r where r.id <> d.receiver_id limit 1)
        where id = ${delivery('PENDING')} returning id as delivery_id`,
    seenBy: ['events_have_deliveries'],
  },
  {
    what: 'a delivery that waits for an earlier one that there is not',
    statement: `
      update webhooks.delivery set due_at = 'infinity', lane = 'PW-nobody', position = 2
        where id = ${delivery('PENDING')} returning id as delivery_id`,
    seenBy: ['deliveries_wait_for_one_before_them'],
  },
  {
    what: 'a delivery whose event is gone',
    statement: `
      with gone as (delete from outbox.event where event = 'transaction.status' and reference = (
        select min(reference) from outbox.event where event = 'transaction.status') returning id)
      select d.id as delivery_id from webhooks.delivery d join gone on gone.id = d.event_id`,
    seenBy: ['deliveries_are_their_attempts', 'payments_are_told_once'],
  },
  {
    what: 'a failed delivery that is marked as delivered',
    statement: `
      update webhooks.delivery set status = 'DELIVERED', delivered_at = now() where id = ${delivery('FAILED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'a pending delivery that is marked as delivered with an attempt that was never made',
    statement: `
      update webhooks.delivery set status = 'DELIVERED', delivered_at = now(), attempts = 1 where id = ${delivery('PENDING')}
        returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'an attempt that is not on record',
    statement: `
      update webhooks.delivery set attempts = attempts + 1 where id = ${delivery('FAILED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'a delivery whose receiver is not on record as having taken it',
    statement: `
      update webhooks.delivery set last_status_code = null where id = ${delivery('DELIVERED')} returning id as delivery_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
  {
    what: 'an event that was emptied before it was delivered',
    statement: `
      with emptied as (update outbox.event set body = null where id = ${LAST_TOLD} returning id)
      select d.id as delivery_id from webhooks.delivery d join emptied on emptied.id = d.event_id`,
    seenBy: ['deliveries_are_their_attempts'],
  },
];

const unaudited = (action: string, returning = `after ->> 'reference' as reference`): string =>
  `delete from audit.entry where action = '${action}' returning ${returning}`;

/** What the operator did, and nobody wrote down; or what is said to have been the operator. */
export const operatorPlants: readonly Plant[] = [
  {
    what: 'reversals whose audit entries are gone',
    statement: unaudited('transaction.reverse'),
    seenBy: ['reversals_are_audited'],
  },
  {
    what: 'a remittance whose audit entry is gone',
    statement: unaudited('account.remit'),
    seenBy: ['remittances_are_audited'],
  },
  {
    what: 'resolutions of what waited whose audit entries are gone',
    statement: unaudited('suspense.resolve', 'target as reference'),
    seenBy: ['resolutions_are_audited'],
  },
  {
    what: 'a settlement of an application whose audit entry is gone',
    statement: unaudited('application.settle'),
    seenBy: ['application_movements_are_audited'],
  },
  {
    what: 'a pending refund that was settled into a wallet of somebody else',
    triggers: 'on',
    statement: `
      with settled as (select ledger.settle_pending(${named('waits')}, ${WALLET}) as status)
      select 'waits' as reference from settled where status = 'Successful'`,
    seenBy: ['resolutions_are_audited'],
  },
  {
    what: 'an audit entry of a reversal that never was',
    triggers: 'on',
    statement: `
      insert into audit.entry (actor, action, target, after) select 'cli', action, target, '{"reference": "never"}' from audit.entry
        where action in ('transaction.reverse', 'account.remit', 'suspense.resolve', 'application.settle') returning id as audit_id`,
    seenBy: [
      'application_movements_are_audited',
      'remittances_are_audited',
      'resolutions_are_audited',
      'reversals_are_audited',
    ],
  },
];

const ONE = `(select id from customers.customer order by id limit 1)`;

export const recoveryPlants: readonly Plant[] = [
  {
    what: 'a customer who was frozen behind the audit log’s back',
    statement: `
      with ended as (update sessions.session set revoked_at = clock_timestamp() where customer_id = ${ONE})
      update customers.customer set frozen_at = clock_timestamp() where id = ${ONE} returning id as customer_id`,
    seenBy: ['freezes_are_audited'],
  },
  {
    what: 'a BVN that was taken from its customer behind the audit log’s back',
    statement: `
      with ended as (update sessions.session set revoked_at = clock_timestamp() where customer_id = ${ONE})
      update customers.customer set frozen_at = clock_timestamp(), bvn_handed_back_at = clock_timestamp(), bvn_index = null
        where id = ${ONE} returning id as customer_id`,
    seenBy: ['freezes_are_audited', 'handed_back_bvns_are_audited'],
  },
  {
    what: 'a customer who was erased behind the audit log’s back, and whose wallets are open',
    statement: `
      update customers.customer set erased_at = clock_timestamp(), bvn_index = null, other_name = null, phone_sealed = null,
          phone_index = null, phone_proven_at = null, email_sealed = null, email_index = null, email_proven_at = null,
          date_of_birth_sealed = null, address_sealed = null, image_url = null, password_hash = null
        where id = ${ONE} returning id as customer_id`,
    seenBy: ['erased_customers_are_gone', 'erasures_are_audited'],
  },
  {
    what: 'a wallet that is still frozen on paper, and pays',
    statement: `
      update wallets.partner_wallet w set status_before_freeze = 'Enabled' from ledger.account a
        where a.id = w.account_id and w.id = (select min(id) from wallets.partner_wallet where customer_id is not null and revoked_at is null)
        returning w.reference as which`,
    seenBy: ['frozen_customers_are_shut_out'],
  },
];
