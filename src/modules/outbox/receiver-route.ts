import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, type RowInSql, readRow, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { ReceiverRow } from './store.ts';

/** What decides whose an endpoint is, where it is, and which events it is told. */
export const RECEIVER_ROUTE = {
  table: 'outbox.receiver',
  columns: ['id', 'ownerId', 'ownerKind', 'defaultId', 'url', 'events'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [RECEIVER_ROUTE];

type Route = Pick<ReceiverRow, 'id' | 'ownerId' | 'ownerKind' | 'defaultId' | 'url' | 'events'>;

/** The MAC of a receiver. An endpoint beside a default one has no owner of its own: it is that of the default one. */
export const receiverMac = (keyring: Keyring, route: Route): Buffer =>
  routingMacOf(keyring, RECEIVER_ROUTE, { ...route, ownerId: route.defaultId === null ? route.ownerId : null });

/** Passes an endpoint that is stored as we stored it. @throws AlteredRecord */
export const assertEndpoint = (keyring: Keyring, found: Route & { routingMac: Buffer }): void =>
  assertAuthentic(keyring, RECEIVER_ROUTE, { ...found, ownerId: found.defaultId === null ? found.ownerId : null });

/** What a statement in SQL has selected of a receiver, and of the default one that it stands beside. */
export interface RouteInSql {
  route: RowInSql<typeof RECEIVER_ROUTE> & { url: string | null; defaultId: string | null };
  standing: RowInSql<typeof RECEIVER_ROUTE> | null;
}

/**
 * Where the events of an owner go: the URL of a receiver that stands as we stored it, as does the default one that it stands beside,
 * which says whose it is.
 *
 * @throws AlteredRecord
 */
export function urlOf(keyring: Keyring, { route, standing }: RouteInSql): string | null {
  assertAuthentic(keyring, RECEIVER_ROUTE, readRow(route));
  if (route.defaultId !== null && standing !== null) assertAuthentic(keyring, RECEIVER_ROUTE, readRow(standing));
  return route.url;
}
