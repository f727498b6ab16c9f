import { and, asc, eq, inArray, isNull, type SQLWrapper, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, type RowInSql, readRow, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { wakeAfterCommit } from '#lib/postgres/transact.ts';
import { event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;

/** Inserts the default endpoint of an owner: a second one fails in the database. */
export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await addReceiver(tx, values, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const addReceiver = preparedColumns(
  'outbox.add-receiver',
  receiver,
  (db, written: Written<typeof receiver.$inferInsert>) => db.insert(receiver).values(written).returning(),
);

/** The sealed client ids of owners that have a receiver. */
export async function selectClientIds(
  db: Executor,
  ownerIds: readonly string[],
): Promise<{ ownerId: string; id: string; clientIdSealed: Buffer }[]> {
  return clientIds(db, { ownerIds });
}

const clientIds = prepared('outbox.client-ids', (db, given: Given<{ ownerIds: readonly string[] }>) =>
  db
    .select({ ownerId: sql<string>`${receiver.ownerId}`, id: receiver.id, clientIdSealed: receiver.clientIdSealed })
    .from(receiver)
    .where(sql`${receiver.ownerId} = any(${given.ownerIds})`),
);

/** Sets URL and subscribed events of a receiver with their MAC: the server has no other right to write them. */
async function routeReceiver(
  tx: Tx,
  { id, url, events, routingMac }: Pick<ReceiverRow, 'id' | 'url' | 'events' | 'routingMac'>,
): Promise<void> {
  await setRoute(tx, [id, url, events, routingMac]);
}

const setRoute = preparedText('outbox.route-receiver', 'select outbox.route_receiver($1::uuid, $2, $3::text[], $4)', {
  writes: true,
});

/** The fields of a receiver outside its route. */
type ChangedReceiver = Omit<
  Partial<typeof receiver.$inferInsert>,
  'id' | 'ownerId' | 'ownerKind' | 'defaultId' | 'url' | 'events' | 'routingMac' | 'eventsFrom' | 'updatedAt'
>;

/** Changes only the given fields of a receiver, which the transaction has locked. */
export async function updateReceiver(tx: Tx, id: string, values: ChangedReceiver): Promise<ReceiverRow> {
  const [updated] = await changeReceiver(tx, values, { id });
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
}

/** By then every transaction that did not see the change has ended. */
const IN_FORCE = sql`now() + interval '1 minute'`;

const changeReceiver = preparedColumns(
  'outbox.change-receiver',
  receiver,
  (db, written: Written<ChangedReceiver>, given: Given<{ id: string }>) =>
    db
      .update(receiver)
      .set({ ...written, updatedAt: sql`now()` })
      .where(eq(receiver.id, given.id))
      .returning(),
);

interface NewEvent {
  ownerId: string;
  /** Its name, e.g. `wallet.credited`. */
  event: string;
  reference: string;
  /** The id of its record, to list deliveries by. */
  subjectId?: string | undefined;
  /** The signed and sent bytes. */
  body: string;
}

/**
 * Writes an event in the transaction of its cause. Each subscribed endpoint of its owner receives it.
 *
 * @returns its id; undefined, and nothing is written, when the owner has no receiver
 */
export async function emit(
  tx: Tx,
  { ownerId, event: name, reference, body, subjectId }: NewEvent,
): Promise<string | undefined> {
  const [row] = await emitEvent(tx, [ownerId, name, reference, body, subjectId ?? null]);
  wakeAfterCommit(tx);
  return row?.id ?? undefined;
}

const emitEvent = preparedText<{ id: string | null }>(
  'outbox.emit',
  'select outbox.emit($1::uuid, $2, $3, $4, $5::uuid) as id',
  { writes: true },
);

const emitEventTo = preparedText<{ id: string }>(
  'outbox.emit-to',
  'select outbox.emit_to($1::uuid, $2, $3, $4) as id',
  {
    writes: true,
  },
);

/** Writes an event for one endpoint, whatever its subscription: one of those that `webhooks.is_for_one` names. @returns its id */
export async function emitTo(
  tx: Tx,
  { endpointId, event: name, reference, body }: Omit<NewEvent, 'ownerId' | 'subjectId'> & { endpointId: string },
): Promise<string> {
  const [row] = await emitEventTo(tx, [endpointId, name, reference, body]);
  if (row === undefined) throw new Error('an insert returned nothing');
  wakeAfterCommit(tx);
  return row.id;
}

/** Purges the bodies of events. The rows stay as the record. */
export async function deleteEventBodies(tx: Tx, eventIds: string[]): Promise<void> {
  const bodyDigest = sql`coalesce(sha256(convert_to(${event.body}, 'UTF8')), ${event.bodyDigest})`;
  await tx.update(event).set({ body: null, bodyDigest }).where(inArray(event.id, eventIds));
}

/** An endpoint with its owner, also for a further endpoint. */
export type EndpointRow = Omit<ReceiverRow, 'ownerId'> & { ownerId: string };

/** An endpoint of an owner: by default the default one. */
export interface EndpointName {
  ownerId: string;
  endpointId?: string | undefined;
}

const defaultEndpoint = alias(receiver, 'default_endpoint');

/** The owner of an endpoint: its own, or that of its default endpoint. */
export const ownerOf = ({ ownerId, defaultId }: Pick<typeof receiver, 'ownerId' | 'defaultId'>) =>
  sql<string>`coalesce(${ownerId}, (select ${defaultEndpoint.ownerId} from ${receiver} ${defaultEndpoint} where ${defaultEndpoint.id} = ${defaultId}))`;

const defaultOf = (ownerId: SQLWrapper) =>
  sql`(select ${defaultEndpoint.id} from ${receiver} ${defaultEndpoint} where ${defaultEndpoint.ownerId} = ${ownerId})`;

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

/** The same, locked against other changes; events are still written in the meantime. */
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

/** The settings of an endpoint. */
export type EndpointSettings = Pick<
  typeof receiver.$inferInsert,
  'description' | 'headerNames' | 'headersSealed' | 'ordered'
>;

/** A new URL and subscription of an endpoint. */
export interface NewRoute {
  url?: string | null | undefined;
  events?: string[] | null | undefined;
}

/** Changes only the given fields of an endpoint, which the transaction has locked and verified. @returns its new state */
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

/** Inserts a further endpoint; the transaction has locked the default one. */
export async function insertEndpoint(
  tx: Tx,
  keyring: Keyring,
  byDefault: EndpointRow,
  values: EndpointSettings & Pick<ReceiverRow, 'id' | 'url' | 'events' | 'clientIdSealed' | 'secretSealed'>,
): Promise<void> {
  const { id: defaultId, ownerKind } = byDefault;
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

/** Deletes a further endpoint, with both locked: sending stops, and its deliveries stay. */
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

/** Leaves `updatedAt` of the default endpoint as it is. */
const countOthers = prepared('outbox.count-endpoints', (db, given: Given<{ id: string; by: 1 | -1 }>) =>
  db
    .update(receiver)
    .set({ others: sql`${receiver.others} + ${given.by}` })
    .where(eq(receiver.id, given.id)),
);

/** The facts of an endpoint: its owner, URL and subscribed events. */
export const RECEIVER_ROUTE = {
  table: 'outbox.receiver',
  columns: ['id', 'ownerId', 'ownerKind', 'defaultId', 'url', 'events'],
} as const satisfies RoutingFacts;

/** The routing facts that the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [RECEIVER_ROUTE];

type Route = Pick<ReceiverRow, 'id' | 'ownerId' | 'ownerKind' | 'defaultId' | 'url' | 'events'>;

/** The MAC of a receiver. A further endpoint has no owner of its own: its default endpoint has it. */
export const receiverMac = (keyring: Keyring, route: Route): Buffer =>
  routingMacOf(keyring, RECEIVER_ROUTE, { ...route, ownerId: route.defaultId === null ? route.ownerId : null });

/** Verifies the row of an endpoint. @throws AlteredRecord */
export const assertEndpoint = (keyring: Keyring, found: Route & { routingMac: Buffer }): void =>
  assertAuthentic(keyring, RECEIVER_ROUTE, { ...found, ownerId: found.defaultId === null ? found.ownerId : null });

/** A receiver and its default endpoint, as a SQL statement selected them. */
export interface RouteInSql {
  route: RowInSql<typeof RECEIVER_ROUTE> & { url: string | null; defaultId: string | null };
  standing: RowInSql<typeof RECEIVER_ROUTE> | null;
}

/**
 * The URL of a receiver, after verifying its row and that of its default endpoint, which names the owner.
 *
 * @throws AlteredRecord
 */
export function urlOf(keyring: Keyring, { route, standing }: RouteInSql): string | null {
  assertAuthentic(keyring, RECEIVER_ROUTE, readRow(route));
  if (route.defaultId !== null && standing !== null) assertAuthentic(keyring, RECEIVER_ROUTE, readRow(standing));
  return route.url;
}
