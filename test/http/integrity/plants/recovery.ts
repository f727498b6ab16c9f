import type { Plant } from './plant.ts';

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
