import { and, eq } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import type { EraseOf, Invariant, OfCustomer, Room, StreamedInvariant } from '#lib/room.ts';
import { DAY_MS, deletes, empties, type Retention } from '#lib/room.ts';
import { sealedColumns as applicationColumns, routingFacts as applicationRoutes } from './application-store.ts';
import { contactDigest, openContact } from './contacts.ts';
import { sealedColumns as partnerColumns, routingFacts as partnerRoutes } from './partner-store.ts';
import { sealedColumns as mailColumns, routingFacts as mailRoutes } from './queue-mail.ts';
import { payTagApplicationId, subject } from './tables.ts';

/** Compares each partner's contact with its last audited change: an older sealed contact that was put back would open too. */
const contactsAreAudited = (keyring: Keyring): StreamedInvariant => ({
  name: 'contacts_are_audited',
  promise: 'the contact of every partner is the one of its last audited change',
  wholeOnly: 'no row says when a contact was put back',
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

/** A contact that does not open matches no audited one; `sealed_values_open` reports it too. */
function digestIfOpen(keyring: Keyring, row: Parameters<typeof openContact>[1]): string | null {
  try {
    return contactDigest(keyring, row.id, openContact(keyring, row));
  } catch {
    return '';
  }
}

/** True when `a` is the settlement wallet of a funding or settlement `t`. */
const MOVED = `a.kind = 'APPLICATION' and t.status in ('Successful', 'Reversed')
  and a.id = case t.type when 'APPLICATION_FUNDING' then t.destination_id when 'APPLICATION_SETTLEMENT' then t.source_id end`;

const ACTION = `case t.type when 'APPLICATION_FUNDING' then 'application.fund' else 'application.settle' end`;

/** Erases what lookups of the customer's PayTag showed. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('applications.erase', (db, given: OfCustomer) =>
  db
    .update(subject)
    .set({ displayName: null, emailSealed: null, imageUrl: null, metadata: null })
    .where(and(eq(subject.applicationId, payTagApplicationId), eq(subject.externalId, given.customerId))),
);

/** Applications pending approval. */
export const waitingApplications = countOfWaiting(
  'applications.waiting',
  `select created_at as at from applications.application where status = 'PENDING'`,
);

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'partners.api_key',
    kept: 'for ever',
    why: 'a record of all keys and their revocations: digests',
  },
  {
    table: 'partners.closed_portal_link',
    kept: 'until the link would have expired, at most an hour',
    why: 'a closed link stays closed',
    forget: {
      rows: deletes({ table: 'partners.closed_portal_link', by: 'expires_at', afterMs: 0, isImmutable: true }),
    },
  },
  {
    table: 'partners.partner',
    kept: 'for ever',
    why: 'the books name it',
  },
  {
    table: 'applications.application',
    kept: 'for ever; the e-mail address and picture of one that was never approved, 90 days',
    why: 'its tags, claims and money name it',
    forget: {
      registrants: empties(
        {
          table: 'applications.application',
          by: 'created_at',
          afterMs: 90 * DAY_MS,
          where: `t.status = 'PENDING' and not t.built_in and (t.email_sealed is not null or t.image_url is not null)`,
        },
        ['email_sealed', 'image_url'],
      ),
    },
  },
  {
    table: 'applications.subject',
    kept: 'as long as its application',
    why: 'tags and claims name it',
  },
  {
    table: 'letters.letter',
    kept: '90 days; the address until the mail is sent or has failed, a secret until its link was used or has expired',
    why: 'proof that the owner was notified',
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

/** What must be true of the rows of this room. */
const invariants: readonly Invariant[] = [
  {
    name: 'partners_have_floats_and_a_receiver',
    promise:
      'every partner has a float in each currency and a receiver for its events, and every float has its partner',
    offenders: () => `
      select p.id as partner_id, f.reference as float, f.currencies, r.id as receiver_id from partners.partner p
        full join (select reference, count(*) as currencies from ledger.account where kind = 'FLOAT' group by 1) f
          on f.reference = p.id::text
        left join outbox.receiver r on r.owner_id = p.id and r.owner_kind = 'PARTNER'
        where p.id is null or f.currencies is distinct from 2 or r.id is null`,
  },
  {
    name: 'redirect_urls_are_audited',
    promise: 'the redirect URL of every partner is the one of its last audited change',
    offenders: () => `
      select p.id as partner_id, p.redirect_url, a.redirect_url as audited_redirect_url from partners.partner p
        left join lateral (select e.after ->> 'redirectUrl' as redirect_url from audit.entry e
          where e.target = p.id::text and e.action in ('partner.create', 'partner.change') order by e.id desc limit 1) a on true
        where p.redirect_url is distinct from a.redirect_url`,
  },
  {
    name: 'api_keys_are_audited',
    promise:
      'every API key was created with its partner or added by an audited change, and is revoked exactly when an audited change revoked it',
    offenders: () => `
      with named as (
        select k.*, exists (select from audit.entry e where e.target = k.partner_id::text
            and e.action = 'partner.key.add' and e.after ->> 'key' = k.id::text) as added,
          exists (select from audit.entry e where e.target = k.partner_id::text
            and e.action = 'partner.key.revoke' and e.before ->> 'key' = k.id::text) as ended
          from partners.api_key k),
      unnamed as (
        select id, row_number() over (partition by partner_id order by created_at, id) as nth,
          (select count(*) from audit.entry e where e.target = partner_id::text and e.action = 'partner.create') as creations
          from named where not added)
      select n.id as key_id, n.partner_id from named n left join unnamed u using (id)
        where u.nth > least(u.creations, 1) or n.ended <> (n.revoked_at is not null)`,
  },
  {
    name: 'applications_have_wallets_and_a_receiver',
    promise:
      'every application but our own has a settlement wallet in each currency and a receiver for its events, and every such wallet has its application',
    offenders: () => `
      select p.id as application_id, f.reference as wallet, f.currencies, r.id as receiver_id
        from (select * from applications.application where not built_in) p
        full join (select reference, count(*) as currencies from ledger.account where kind = 'APPLICATION' group by 1) f
          on f.reference = p.id::text
        left join outbox.receiver r on r.owner_id = p.id and r.owner_kind = 'APPLICATION'
        where p.id is null or f.currencies is distinct from 2 or r.id is null`,
  },
  {
    name: 'application_credentials_are_audited',
    promise:
      'every application has the secret and the return URLs of its last audited change; one without changes has no return URLs and no previous secret',
    offenders: () => `
      select p.id as application_id, p.return_urls, u.pages as audited_return_urls, p.previous_secret_until,
          s.previous_until as audited_previous_until
        from applications.application p
        left join lateral (select e.after -> 'returnUrls' as pages from audit.entry e
          where e.target = p.id::text and e.action = 'application.return-urls' order by e.id desc limit 1) u on true
        left join lateral (select e.after ->> 'secretDigest' as digest, (e.after ->> 'previousUntil')::timestamptz as previous_until
          from audit.entry e
          where e.target = p.id::text and e.action = 'application.secret.rotate' order by e.id desc limit 1) s on true
        where not p.built_in and (to_jsonb(p.return_urls) <> coalesce(u.pages, '[]')
          or encode(p.secret_digest, 'hex') <> coalesce(s.digest, encode(p.secret_digest, 'hex'))
          or p.previous_secret_until is distinct from s.previous_until)`,
  },
  {
    name: 'application_movements_are_audited',
    promise:
      'every funding and settlement of a settlement wallet has its audit entry with the same amount, and every such entry has its movement, except for test money in the sandbox',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
          join ledger.account a on ${MOVED}
        where ${moment('t.created_at')}
          and not (t.type = 'APPLICATION_FUNDING' and t.owner_id::text = a.reference and t.reference = 'test-money')
          and not exists (
            select from audit.entry x where x.target = a.reference and x.action = ${ACTION}
              and x.after ->> 'reference' = t.reference and x.after ->> 'currency' = t.currency
              and (x.after ->> 'balance')::bigint - (x.before ->> 'balance')::bigint
                = case t.type when 'APPLICATION_FUNDING' then t.amount else -t.amount end)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action in ('application.fund', 'application.settle') and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.account a on ${MOVED}
                            where t.reference = x.after ->> 'reference' and a.reference = x.target and x.action = ${ACTION})`,
  },
  {
    name: 'proven_contacts_are_audited',
    promise: 'every proven contact address is the one of its last audited proof',
    offenders: () => `
      select c.owner_id, c.proven_at from letters.proven_contact c
        left join lateral (select e.after ->> 'addressDigest' as digest from audit.entry e
          where e.target = c.owner_id::text and e.action = 'contact.prove' order by e.id desc limit 1) a on true
        where encode(c.address_digest, 'hex') is distinct from a.digest`,
  },
];

export const room: Room = {
  retention,
  invariants: (deps) => [...invariants, contactsAreAudited(deps.keyring)],
  sealedColumns: [...partnerColumns, ...applicationColumns, ...mailColumns],
  routingFacts: [...partnerRoutes, ...applicationRoutes, ...mailRoutes],
  erase: eraseOf,
};
