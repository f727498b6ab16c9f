import { and, eq } from '#drizzle';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import type { EraseOf, Invariant, OfCustomer, Room } from '#lib/room.ts';
import { DAY_MS, empties, type Retention } from '#lib/room.ts';
import { routingFacts, sealedColumns } from './sealed-columns.ts';
import { payTagApplicationId, subject } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'applications.application',
    kept: 'for ever; the address and picture of whoever registered one that nobody approved, 90 days',
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
];

/** That `a` is the settlement wallet that the operator moved by `t`. */
const MOVED = `a.kind = 'APPLICATION' and t.status in ('Successful', 'Reversed')
  and a.id = case t.type when 'APPLICATION_FUNDING' then t.destination_id when 'APPLICATION_SETTLEMENT' then t.source_id end`;
const ACTION = `case t.type when 'APPLICATION_FUNDING' then 'application.fund' else 'application.settle' end`;

/** What must be true of applications at any moment. */
const invariants: readonly Invariant[] = [
  {
    name: 'applications_have_wallets_and_a_receiver',
    promise:
      'every application but our own has a settlement wallet in each currency and a receiver for its events, and no such wallet is without its application',
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
      'every application has the secret and the pages of its last audited change; one that was never changed has no pages, and no secret before its own',
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
      'every funding and settlement of a settlement wallet has its audit entry, of the same amount, but for the test money of the sandbox, and no audit entry is without its movement',
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
];

/** What those who looked the customer's PayTag up were shown. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('applications.erase', (db, given: OfCustomer) =>
  db
    .update(subject)
    .set({ displayName: null, emailSealed: null, imageUrl: null, metadata: null })
    .where(and(eq(subject.applicationId, payTagApplicationId), eq(subject.externalId, given.customerId))),
);

/** Applications that wait for approval. */
export const waitingApplications = countOfWaiting(
  'applications.waiting',
  `select created_at as at from applications.application where status = 'PENDING'`,
);

export const room: Room = { retention, invariants: () => invariants, sealedColumns, routingFacts, erase: eraseOf };
