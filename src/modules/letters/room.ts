import type { Room, SqlInvariant } from '#lib/room.ts';
import { DAY_MS, deletes, empties, type Retention } from '#lib/room.ts';
import { routingFacts, sealedColumns } from './write-letter.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'letters.letter',
    kept: '90 days after what it tells of; the address until it is sent or given up, a secret until its link has shown it or has expired',
    why: 'that an owner was told can be shown',
    forget: {
      rows: deletes({ table: 'letters.letter', by: 'happened_at', afterMs: 90 * DAY_MS }),
      secrets: empties(
        { table: 'letters.letter', by: 'link_until', afterMs: 0, where: 't.secret_sealed is not null' },
        ['secret_sealed'],
      ),
    },
  },
  {
    table: 'letters.proven_contact',
    kept: 'as long as its owner keeps the address',
    why: 'new secrets go to no other address',
  },
];

/** What must be true of contacts at any moment. */
const invariants: readonly SqlInvariant[] = [
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

export const room: Room = { retention, invariants: () => invariants, sealedColumns, routingFacts };
