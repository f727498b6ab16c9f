import type { SqlInvariant } from '#lib/invariant.ts';

/** What must be true of contacts at any moment. */
export const invariants: readonly SqlInvariant[] = [
  {
    name: 'proven_contacts_are_audited',
    promise: 'the address of every contact that counts as proven is the one that its last audited proof says',
    offenders: () => `
      select c.owner_id, c.proven_at from letters.proven_contact c
        left join lateral (select e.after ->> 'addressDigest' as digest from audit.entry e
          where e.target = c.owner_id::text and e.action = 'contact.prove' order by e.id desc limit 1) a on true
        where encode(c.address_digest, 'hex') is distinct from a.digest`,
  },
];
