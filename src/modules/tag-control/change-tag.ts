import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { type AuthenticatedApplication, payTagApplicationId } from '#modules/applications';
import { recordChange } from '#modules/audit';
import { endClaimsOfTag } from '#modules/claims';
import { endLinksOfTag } from '#modules/federations';
import { endSessionsOf } from '#modules/sessions';
import { changeTagStatus, findTag, findTagEvenClosed, type TagStatus, type TagWithOwner } from '#modules/tags';
import { getOperatedTag, type OperatedTag } from './get-operated-tag.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; publicUrl: string };

const actions = { SUSPENDED: 'tag.suspend', ACTIVE: 'tag.restore', CLOSED: 'tag.close' } as const;

/**
 * The operator suspends a tag, gives it back, or closes it. A closed one is gone for everybody, its claims and links end, its
 * customer's sessions with it, and nobody can have its handle for ninety days.
 *
 * @throws DomainError TAG_NOT_FOUND, TAG_STATUS_CONFLICT
 */
export async function operateTag(
  deps: Deps,
  { address, next, actor, reason }: { address: string; next: TagStatus; actor: string; reason: string },
): Promise<OperatedTag> {
  const found = await findTagEvenClosed(deps.db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const { id, handle } = found.tag;
  const change = { actor, action: actions[next], target: id, after: { status: next }, reason };
  await deps.transact(async (tx) => {
    const status = await apply(tx, deps, found, next);
    await recordChange(tx, { ...change, before: { status, handle } });
  });
  return getOperatedTag(deps, address);
}

/**
 * The application of a tag's owner closes it, for good.
 *
 * @throws DomainError TAG_NOT_FOUND; NOT_PERMITTED for another application; TAG_STATUS_CONFLICT while it is suspended
 */
export async function closeOwnTag(deps: Deps, caller: AuthenticatedApplication, address: string): Promise<void> {
  const found = await findTag(deps.db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  if (found.ownerApp.id !== caller.id) throw new DomainError('NOT_PERMITTED', 'this tag is another application’s');
  await deps.transact(async (tx) => {
    // Known only now that it is locked: it may have been suspended at this moment.
    if ((await apply(tx, deps, found, 'CLOSED')) === 'SUSPENDED') {
      throw new DomainError('TAG_STATUS_CONFLICT', 'this tag is suspended: ask the operator');
    }
  });
}

/** Resolves to the status that the tag had until now. */
async function apply(tx: Tx, deps: Deps, { tag, owner, ownerApp }: TagWithOwner, next: TagStatus): Promise<TagStatus> {
  const now = deps.clock.now();
  const before = await changeTagStatus(tx, tag.id, next, now);
  if (next !== 'CLOSED') return before;
  await endClaimsOfTag(tx, deps, tag.id);
  await endLinksOfTag(tx, tag.id, now);
  const isPayTag = ownerApp.id === payTagApplicationId; // whose subjects bear their customers' ids
  if (isPayTag) await endSessionsOf(tx, { customerId: owner.externalId }, now);
  return before;
}
