import { and, asc, desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { alteredIn, assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { AlteredRecord, SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { apiKey, partner } from './tables.ts';

/** The cache channel of partners: this module and the triggers of `partner` and `api_key` notify it. */
export const CREDENTIALS = 'partners';

export type PartnerRow = typeof partner.$inferSelect;

/** Stores a new partner. */
export async function insertPartner(
  tx: Tx,
  keyring: Keyring,
  values: Omit<typeof partner.$inferInsert, 'routingMac'> & { id: string; createdAt: Date },
): Promise<PartnerRow> {
  const [created] = await add(tx, { ...values, routingMac: routingMacOf(keyring, PARTNER_ROUTE, values) }, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const add = preparedColumns('partners.add', partner, (db, written: Written<typeof partner.$inferInsert>) =>
  db.insert(partner).values(written).returning(),
);

/** A partner by our id. With `locked`: locked until the transaction ends. */
export async function selectPartner(db: Executor, id: string, lock?: 'locked'): Promise<PartnerRow | undefined> {
  return lock === undefined ? byId(db, { id }) : lockById(db, { id });
}

const byId = preparedOne('partners.by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(partner).where(eq(partner.id, given.id)),
);

const lockById = preparedOne('partners.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(partner).where(eq(partner.id, given.id)).for('no key update'),
);

/** Locks a partner for a change, and verifies its row. @throws AlteredRecord */
export async function lockAuthentic(tx: Tx, keyring: Keyring, id: string): Promise<PartnerRow | undefined> {
  const found = await lockById(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, PARTNER_ROUTE, found);
  return found;
}

const listed = alias(partner, 'p');

/** All partners, or those of a status, newest first. `count` is of all that match. */
export async function selectPartners(
  db: Executor,
  status: PartnerRow['status'] | undefined,
  page: PageRequest<string>,
): Promise<Listed<PartnerRow, string>> {
  const matches = status && eq(listed.status, status);
  const walk = { name: 'partners', filter: status, table: partner, row: listed, key: listed.id, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(partner).where(sql`${partner.id} in (${keys})`).orderBy(desc(partner.id)),
    keyOf: ({ id }) => id,
  });
}

/** Changes only the given fields. Takes effect in this process from the commit on. */
export async function updatePartner(
  tx: Tx,
  id: string,
  values: {
    name?: string | undefined;
    contactEmailSealed?: Buffer | null | undefined;
    status?: PartnerRow['status'] | undefined;
  },
  now: Date,
): Promise<void> {
  await change(tx, { ...values, updatedAt: now }, { id });
  forgetAfterCommit(tx, CREDENTIALS);
}

/** Sets the redirect URL with its MAC: the server has no other right to write it. */
export async function routePartner(tx: Tx, keyring: Keyring, locked: PartnerRow, redirectUrl: string): Promise<void> {
  await route(tx, [locked.id, redirectUrl, routingMacOf(keyring, PARTNER_ROUTE, { ...locked, redirectUrl })]);
  forgetAfterCommit(tx, CREDENTIALS);
}

const route = preparedText('partners.route', 'select partners.route_partner($1::uuid, $2, $3)', { writes: true });

type ChangedPartner = { [Name in keyof PartnerRow]?: PartnerRow[Name] | undefined };

const change = preparedColumns(
  'partners.change',
  partner,
  (db, written: Written<ChangedPartner>, given: Given<{ id: string }>) =>
    db.update(partner).set(written).where(eq(partner.id, given.id)),
);

/** What authenticates a partner's calls: digests only. */
export interface PartnerCredentials {
  clientIdDigest: Buffer;
  id: string;
  name: string;
  status: PartnerRow['status'];
  redirectUrl: string;
  /** Its active keys. */
  keys: { id: string; digest: Buffer; altered: AlteredRecord | undefined }[];
  /** Set when the stored partner was altered: all its calls are refused. */
  altered: AlteredRecord | undefined;
}

/** True of the first key `k` of a partner `p` that was created before a moment: the key has expired, since an operator has seen it. */
const isOver = (until: string): string =>
  `(k.created_at = p.created_at and p.created_at <= ${until}::timestamptz) is true`;

const keyOfPartner = (shown: string): string =>
  `array(select ${shown} from partners.api_key k where k.partner_id = p.id and k.revoked_at is null and not ${isOver('$2')} order by k.id)`;

/**
 * Partners by the digests of their client ids, with the digests of their active keys; altered rows are marked.
 *
 * @param overUntil the first key of a partner that was created before this moment has expired; null: none has
 */
export async function readCredentials(
  db: Executor,
  keyring: Keyring,
  clientIdDigests: readonly Buffer[],
  overUntil: Date | null,
): Promise<PartnerCredentials[]> {
  const rows = await selectCredentials(db, [clientIdDigests, overUntil]);
  return rows.map(({ routingMac, createdAt, keyIds, keyMacs, keysCreatedAt, digests, ...row }) => ({
    ...row,
    altered: alteredIn(() => assertAuthentic(keyring, PARTNER_ROUTE, { ...row, createdAt, routingMac })),
    keys: digests.map((digest, at) => {
      const id = String(keyIds[at]);
      const stored = { id, partnerId: row.id, digest, createdAt: keysCreatedAt[at], routingMac: keyMacs[at] ?? null };
      return { id, digest, altered: alteredIn(() => assertAuthentic(keyring, API_KEY_ROUTE, stored)) };
    }),
  }));
}

const selectCredentials = preparedText<
  Omit<PartnerCredentials, 'keys' | 'altered'> & {
    createdAt: Date;
    routingMac: Buffer;
    /** Of its active keys, in the same order. */
    keyIds: string[];
    keyMacs: Buffer[];
    keysCreatedAt: Date[];
    digests: Buffer[];
  }
>(
  'partners.credentials',
  `select p.client_id_digest as "clientIdDigest", p.id, p.name, p.status, p.redirect_url as "redirectUrl",
          p.created_at as "createdAt", p.routing_mac as "routingMac", ${keyOfPartner('k.digest')} as digests,
          ${keyOfPartner('k.id::text')} as "keyIds", ${keyOfPartner('k.routing_mac')} as "keyMacs",
          ${keyOfPartner('k.created_at')} as "keysCreatedAt"
     from partners.partner p where p.client_id_digest = any((select $1::bytea[])::bytea[])`,
);

/** An API key without the key itself. */
export type ApiKey = Omit<typeof apiKey.$inferSelect, 'digest' | 'partnerId' | 'routingMac'>;

const shown = { id: apiKey.id, createdAt: apiKey.createdAt, revokedAt: apiKey.revokedAt };

/** Stores the digest of a new key. */
export async function insertApiKey(
  tx: Tx,
  keyring: Keyring,
  key: { id: string; partnerId: string; digest: Buffer; createdAt: Date },
): Promise<ApiKey> {
  const [created] = await addKey(tx, { ...key, routingMac: routingMacOf(keyring, API_KEY_ROUTE, key) }, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const addKey = preparedColumns('partners.add-key', apiKey, (db, written: Written<typeof apiKey.$inferInsert>) =>
  db.insert(apiKey).values(written).returning(shown),
);

/** All keys of a partner, oldest first, the revoked ones included. */
export const selectApiKeys = (db: Executor, partnerId: string): Promise<ApiKey[]> => keysOf(db, { partnerId });

const keysOf = prepared('partners.keys', (db, given: Given<{ partnerId: string }>) =>
  db.select(shown).from(apiKey).where(eq(apiKey.partnerId, given.partnerId)).orderBy(asc(apiKey.id)),
);

/** The number of active keys of a partner. */
export async function countActiveKeys(tx: Tx, partnerId: string, firstIsOver: Date | null): Promise<number> {
  const [found] = await activeKeys(tx, [partnerId, firstIsOver]);
  return found?.count ?? 0;
}

const activeKeys = preparedText<{ count: number }>(
  'partners.active-keys',
  `select count(*)::int as count from partners.api_key k join partners.partner p on p.id = k.partner_id
     where p.id = $1 and k.revoked_at is null and not ${isOver('$2')}`,
);

/** A key of this partner. */
export const selectApiKey = (tx: Tx, partnerId: string, id: string): Promise<ApiKey | undefined> =>
  keyOf(tx, { partnerId, id });

const keyOf = preparedOne('partners.key', (db, given: Given<{ partnerId: string; id: string }>) =>
  db
    .select(shown)
    .from(apiKey)
    .where(and(eq(apiKey.partnerId, given.partnerId), eq(apiKey.id, given.id))),
);

/** Revokes a key: this process refuses it from the commit on. */
export async function setKeyRevoked(tx: Tx, id: string, now: Date): Promise<void> {
  await revokeKey(tx, { id, now });
  forgetAfterCommit(tx, CREDENTIALS);
}

const revokeKey = prepared('partners.revoke-key', (db, given: Given<{ id: string; now: Date }>) =>
  db
    .update(apiKey)
    .set({ revokedAt: sql`${given.now}` })
    .where(eq(apiKey.id, given.id)),
);

/** Sorts after every name with the same beginning. */
const LAST = '\u{10ffff}';

/** Compares by byte order, as the index does: a generic plan would not use the index for a pattern. */
const byName = preparedText<{ id: string; name: string }>(
  'partners.by-name',
  'select id, name from partners.partner where lower(name) ~>=~ $1 and lower(name) ~<~ $2 order by lower(name) using ~<~ limit $3',
);

/** Partners whose names begin with a text, in whatever case; at most `limit`. */
export const findPartnersByName = async (
  db: Executor,
  { begin, limit }: { begin: string; limit: number },
): Promise<{ id: string; name: string }[]> => byName(db, [begin.toLowerCase(), begin.toLowerCase() + LAST, limit]);

const names = preparedText<{ id: string; name: string }>(
  'partners.names',
  'select id, name from partners.partner where id = any((select $1::uuid[])::uuid[])',
);

/** The names of partners, by their ids. */
export const findPartnerNames = async (db: Executor, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(ids.length === 0 ? [] : (await names(db, [ids])).map(({ id, name }) => [id, name]));

/** A closed link. */
export const selectClosed = preparedText<{ id: Buffer }>(
  'partners.closed-portal-link',
  'select id from partners.closed_portal_link where id = $1',
);

/** Stores that a link was closed, until it would have expired. */
export const insertClosed = preparedText(
  'partners.close-portal-link',
  'insert into partners.closed_portal_link (id, expires_at) values ($1, $2) on conflict (id) do nothing',
  { writes: true },
);

/** The e-mail address of a partner's contact. */
export const CONTACT = {
  table: 'partners.partner',
  column: 'contact_email_sealed',
  row: ['id'],
} as const satisfies SealedColumn;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [CONTACT];

/** The partner's identity, where its customers return with a login code, and its creation, which decides when its first key expires. */
const PARTNER_ROUTE = {
  table: 'partners.partner',
  columns: ['id', 'clientIdDigest', 'redirectUrl', 'createdAt'],
} as const satisfies RoutingFacts;

/** The owner of an API key, and when it was created. */
const API_KEY_ROUTE = {
  table: 'partners.api_key',
  columns: ['id', 'partnerId', 'digest', 'createdAt'],
} as const satisfies RoutingFacts;

/** The routing facts that the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [PARTNER_ROUTE, API_KEY_ROUTE];
