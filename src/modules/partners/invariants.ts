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
];
