import type { Invariant } from '#lib/invariant.ts';

/** What must be true of partners at any moment. */
export const invariants: readonly Invariant[] = [
  {
    name: 'partners_have_floats_and_a_receiver',
    promise:
      'every partner has a float in each currency and a receiver for its events, and no float is without its partner',
    offenders: () => `
      select p.id as partner_id, f.reference as float, f.currencies, r.id as receiver_id from partners.partner p
        full join (select reference, count(*) as currencies from ledger.account where kind = 'FLOAT' group by 1) f
          on f.reference = p.id::text
        left join outbox.receiver r on r.owner_id = p.id and r.owner_kind = 'PARTNER'
        where p.id is null or f.currencies is distinct from 2 or r.id is null`,
  },
  {
    name: 'api_keys_are_audited',
    promise: 'every API key was made with its partner or added by an audited change, and one that was revoked is',
    offenders: () => `
      with named as (
        select k.*, exists (select from audit.entry e where e.target = k.partner_id::text
            and e.action = 'partner.key.add' and e.after ->> 'key' = k.id::text) as added,
          exists (select from audit.entry e where e.target = k.partner_id::text
            and e.action = 'partner.key.revoke' and e.before ->> 'key' = k.id::text) as ended
          from partners.api_key k),
      unnamed as (
        select id, row_number() over (partition by partner_id order by created_at, id) as nth,
          (select count(*) from audit.entry e where e.target = partner_id::text and e.action = 'partner.create') as made
          from named where not added)
      select n.id as key_id, n.partner_id from named n left join unnamed u using (id)
        where u.nth > least(u.made, 1) or n.ended <> (n.revoked_at is not null)`,
  },
];
