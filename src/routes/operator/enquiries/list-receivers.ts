import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Listed } from '#lib/postgres/lists.ts';
import { findApplicationNames, findPartnerNames } from '#modules/clients';
import { listReceivers, type ReceiverHealth } from '#modules/webhooks';

/** An endpoint of a partner or an application, how it is doing, and what its owner is called. */
export interface NamedReceiver extends ReceiverHealth {
  ownerName: string;
}

/** Endpoints of all partners and applications, newest first, with their owners' names. */
export async function listNamedReceivers(
  deps: { db: Database; clock: Clock },
  asked: Parameters<typeof listReceivers>[1],
): Promise<Listed<NamedReceiver, string>> {
  const found = await listReceivers(deps, asked);
  const ownersOf = (kind: ReceiverHealth['ownerKind']) => [
    ...new Set(found.items.filter(({ ownerKind }) => ownerKind === kind).map(({ ownerId }) => ownerId)),
  ];
  const [partners, applications] = await Promise.all([
    findPartnerNames(deps.db, ownersOf('PARTNER')),
    findApplicationNames(deps.db, ownersOf('APPLICATION')),
  ]);
  const nameOf = ({ ownerId }: ReceiverHealth) => partners.get(ownerId) ?? applications.get(ownerId) ?? '';
  return { ...found, items: found.items.map((one) => ({ ...one, ownerName: nameOf(one) })) };
}
