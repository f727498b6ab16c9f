import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Invariant, Room, StreamedInvariant } from '#lib/room.ts';
import { deletes, type Retention } from '#lib/room.ts';
import { contactDigest, openContact } from './contact.ts';
import { routingFacts, sealedColumns } from './sealed-columns.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'partners.api_key',
    kept: 'for ever',
    why: 'which keys there were, and since when not: digests',
  },
  {
    table: 'partners.closed_portal_link',
    kept: 'until the link would have expired by itself, within the hour',
    why: 'closed links open nothing',
    forget: {
      rows: deletes({ table: 'partners.closed_portal_link', by: 'expires_at', afterMs: 0, isImmutable: true }),
    },
  },
  {
    table: 'partners.partner',
    kept: 'for ever',
    why: 'the books name it',
  },
];

/** What must be true of partners at any moment. */
const invariants: readonly Invariant[] = [
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
    name: 'redirect_urls_are_audited',
    promise: 'the customers of every partner return to where the last audited change of it says',
    offenders: () => `
      select p.id as partner_id, p.redirect_url, a.redirect_url as audited_redirect_url from partners.partner p
        left join lateral (select e.after ->> 'redirectUrl' as redirect_url from audit.entry e
          where e.target = p.id::text and e.action in ('partner.create', 'partner.change') order by e.id desc limit 1) a on true
        where p.redirect_url is distinct from a.redirect_url`,
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

/** Of each partner, whether its contact is the one of its last audited change: an older one that was put back opens too. */
const contactsAreAudited = (keyring: Keyring): StreamedInvariant => ({
  name: 'contacts_are_audited',
  promise: 'the contact of every partner is the one that the last audited change of it says',
  wholeOnly: 'nothing says when a contact was put back',
  async *find(reader) {
    const rows = reader.stream<{ id: string; contactEmailSealed: Buffer | null; audited: string | null }>(
      `select p.id, p.contact_email_sealed as "contactEmailSealed", a.digest as audited from partners.partner p
         left join lateral (select e.after ->> 'contactDigest' as digest from audit.entry e
           where e.target = p.id::text and e.action in ('partner.create', 'partner.change', 'partner.contact')
           order by e.id desc limit 1) a on true`,
    );
    for await (const { audited, ...row } of rows) {
      const digest = digestIfOpen(keyring, row);
      if (digest !== audited) yield { partner_id: row.id };
    }
  },
});

/** What does not open is told by `sealed_values_open`, and is none that was audited. */
function digestIfOpen(keyring: Keyring, row: Parameters<typeof openContact>[1]): string | null {
  try {
    return contactDigest(keyring, row.id, openContact(keyring, row));
  } catch {
    return '';
  }
}

export const room: Room = {
  retention,
  invariants: ({ keyring }) => [...invariants, contactsAreAudited(keyring)],
  sealedColumns,
  routingFacts,
};
