import type { Invariant } from '#lib/invariant.ts';

/** What must be true of archives at any moment. */
export const invariants: readonly Invariant[] = [
  {
    name: 'archives_are_audited',
    promise:
      'every month that was archived has its audit entry, of the same manifest and of what is carried, and no audit entry is without its month',
    offenders: ({ moment }) => `
      select r.part, r.ends_at, x.id as audit_id from ledger.archive r
        full join (select * from audit.entry where action = 'ledger.archive') x on x.target = r.part
        where (r.ends_at is null or x.id is null or ${moment('x.at')}) and (r.ends_at is null or x.id is null
          or x.after ->> 'manifest' <> encode(r.manifest_digest, 'hex') or x.after ->> 'carried' <> encode(r.carried_digest, 'hex')
          or (x.after ->> 'entries')::bigint <> r.entries or (x.after ->> 'until')::timestamptz <> r.ends_at)`,
  },
];
