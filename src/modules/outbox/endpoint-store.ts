import { and, asc, eq, isNull, type SQLWrapper, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { receiverMac } from './receiver-route.ts';
import { IN_FORCE, type ReceiverRow, routeReceiver, updateReceiver } from './store.ts';
import { receiver } from './tables.ts';

/** An endpoint with its owner, whose default one it is or stands beside. */
export type EndpointRow = Omit<ReceiverRow, 'ownerId'> & { ownerId: string };

/** An endpoint of an owner: the default one where none is named. */
export interface EndpointName {
  ownerId: string;
  endpointId?: string | undefined;
}

const standing = alias(receiver, 'standing');

/** The owner of an endpoint: its own, or that of the default one which it stands beside. */
export const ownerOf = ({ ownerId, defaultId }: Pick<typeof receiver, 'ownerId' | 'defaultId'>) =>
  sql<string>`coalesce(${ownerId}, (select ${standing.ownerId} from ${receiver} ${standing} where ${standing.id} = ${defaultId}))`;

const defaultOf = (ownerId: SQLWrapper) =>
  sql`(select ${standing.id} from ${receiver} ${standing} where ${standing.ownerId} = ${ownerId})`;

const isDefaultOf = (given: Given<{ ownerId: string }>) => eq(receiver.ownerId, given.ownerId);

const isNamed = (given: Given<{ ownerId: string; endpointId: string }>) =>
  and(
    eq(receiver.id, given.endpointId),
    isNull(receiver.deletedAt),
    sql`coalesce(${receiver.defaultId}, ${receiver.id}) = ${defaultOf(given.ownerId)}`,
  );

const readDefault = preparedOne('outbox.receiver', (db, given: Given<{ ownerId: string }>) =>
  db.select().from(receiver).where(isDefaultOf(given)),
);
const readNamed = preparedOne('outbox.endpoint', (db, given: Given<{ ownerId: string; endpointId: string }>) =>
  db.select().from(receiver).where(isNamed(given)),
);
const lockDefault = preparedOne('outbox.lock-receiver', (db, given: Given<{ ownerId: string }>) =>
  db.select().from(receiver).where(isDefaultOf(given)).for('no key update'),
);
const lockNamed = preparedOne('outbox.lock-endpoint', (db, given: Given<{ ownerId: string; endpointId: string }>) =>
  db.select().from(receiver).where(isNamed(given)).for('no key update'),
);

/** Undefined when the owner has no such endpoint, or it was deleted. */
export async function selectEndpoint(
  db: Executor,
  { ownerId, endpointId }: EndpointName,
): Promise<EndpointRow | undefined> {
  const found = await (endpointId === undefined
    ? readDefault(db, { ownerId })
    : readNamed(db, { ownerId, endpointId }));
  return found && { ...found, ownerId };
}

/** The same, locked against other changes; events go on being written meanwhile. */
export async function lockEndpoint(tx: Tx, { ownerId, endpointId }: EndpointName): Promise<EndpointRow | undefined> {
  const found = await (endpointId === undefined
    ? lockDefault(tx, { ownerId })
    : lockNamed(tx, { ownerId, endpointId }));
  return found && { ...found, ownerId };
}

const ofOwner = prepared('outbox.endpoints', (db, given: Given<{ ownerId: string }>) =>
  db
    .select()
    .from(receiver)
    .where(
      sql`${receiver.id} in (select r.id from ${receiver} r where r.owner_id = ${given.ownerId}
        union all select r.id from ${receiver} r where r.default_id = ${defaultOf(given.ownerId)} and r.deleted_at is null)`,
    )
    .orderBy(asc(receiver.id)),
);

/** All of an owner that were not deleted, the default one first, then the oldest. */
export async function selectEndpoints(db: Executor, ownerId: string): Promise<EndpointRow[]> {
  const rows = await ofOwner(db, { ownerId });
  return rows.map((row) => ({ ...row, ownerId }));
}

/** What an owner chooses for an endpoint. */
export type EndpointSettings = Pick<
  typeof receiver.$inferInsert,
  'description' | 'headerNames' | 'headersSealed' | 'ordered'
>;

/** Where an endpoint is to be, and which events it is to be told. */
export interface NewRoute {
  url?: string | null | undefined;
  events?: string[] | null | undefined;
}

/** Changes an endpoint that the transaction has locked and verified: what is left out stays. @returns where it is now */
export async function changeEndpoint(
  tx: Tx,
  keyring: Keyring,
  locked: EndpointRow,
  { url = locked.url, events = locked.events, ...settings }: Partial<EndpointSettings> & NewRoute,
): Promise<Required<NewRoute>> {
  const changed = { ...locked, url, events };
  const hasSettings = Object.values(settings).some((one) => one !== undefined);
  await Promise.all([
    routeReceiver(tx, { ...changed, routingMac: receiverMac(keyring, changed) }),
    hasSettings ? updateReceiver(tx, locked.id, settings) : undefined,
  ]); // sent together
  return { url, events };
}

/** Inserts an endpoint beside a default one, which the transaction has locked. */
export async function insertEndpoint(
  tx: Tx,
  keyring: Keyring,
  standingBeside: EndpointRow,
  values: EndpointSettings & Pick<ReceiverRow, 'id' | 'url' | 'events' | 'clientIdSealed' | 'secretSealed'>,
): Promise<void> {
  const { id: defaultId, ownerKind } = standingBeside;
  const row = { ...values, defaultId, ownerKind };
  await addEndpoint(tx, { ...row, routingMac: receiverMac(keyring, { ...row, ownerId: null }) }, {});
  await countOthers(tx, { id: defaultId, by: 1 });
}

const addEndpoint = preparedColumns(
  'outbox.add-endpoint',
  receiver,
  (db, written: Written<Omit<typeof receiver.$inferInsert, 'eventsFrom'>>) =>
    db.insert(receiver).values({ ...written, eventsFrom: IN_FORCE }),
);

/** Deletes an endpoint beside a default one, both locked: it is sent nothing any more, and its deliveries stay. */
export async function markDeleted(
  tx: Tx,
  keyring: Keyring,
  locked: EndpointRow & { defaultId: string },
): Promise<void> {
  await Promise.all([
    routeReceiver(tx, { ...locked, url: null, routingMac: receiverMac(keyring, { ...locked, url: null }) }),
    deleteNamed(tx, { id: locked.id }),
    countOthers(tx, { id: locked.defaultId, by: -1 }),
  ]); // sent together
}

const deleteNamed = prepared('outbox.delete-endpoint', (db, given: Given<{ id: string }>) =>
  db
    .update(receiver)
    .set({ headerNames: null, headersSealed: null, deletedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(receiver.id, given.id)),
);

/** It changes nothing that is said of the default one: when that was last changed stays. */
const countOthers = prepared('outbox.count-endpoints', (db, given: Given<{ id: string; by: 1 | -1 }>) =>
  db
    .update(receiver)
    .set({ others: sql`${receiver.others} + ${given.by}` })
    .where(eq(receiver.id, given.id)),
);
