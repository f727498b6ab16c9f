import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type AuthenticatedApplication, payTagApplicationId } from '#modules/clients';
import { endClaimsOfTag, endLinksOfTag } from '#modules/consent';
import { isFrozen, keepsBvn } from '#modules/customers';
import { endSessionsOf } from '#modules/sessions';
import {
  findTag,
  findTagEvenClosed,
  getTagForOperator,
  type TagForOperator,
  type TagStatus,
  type TagWithOwner,
  transitionTag,
} from '#modules/tags';

export type TagLifecycleDeps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  publicUrl: string;
};

/** What the operator may do to a tag, and the status it then has. */
const actions = {
  suspend: 'SUSPENDED',
  restore: 'ACTIVE',
  close: 'CLOSED',
} as const satisfies Record<string, TagStatus>;

/**
 * The operator suspends, restores or closes a tag. A closed tag is gone for everybody: its claims and links end, the
 * sessions of its customer with it, and its handle is free again after ninety days. Audited.
 *
 * @throws DomainError TAG_NOT_FOUND, TAG_STATUS_CONFLICT
 */
export async function changeTagStatus(
  deps: TagLifecycleDeps & { securityLog: SecurityLog },
  { actor, address, action, reason }: { actor: string; address: string; action: keyof typeof actions; reason: string },
): Promise<TagForOperator> {
  const found = await findTagEvenClosed(deps.db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const { id, handle } = found.tag;
  const next = actions[action];
  await deps.transact(async (tx) => {
    if (action === 'restore') await assertMayBeRestored(tx, deps.keyring, found);
    const status = await transitionWithDependants(tx, deps, found, next);
    const change = { actor, action: `tag.${action}`, target: id, reason };
    await recordChange(tx, { ...change, before: { status, handle }, after: { status: next } });
  });
  if (action === 'suspend') deps.securityLog.record('tag_suspended', { tagId: id });
  return getTagForOperator(deps, address);
}

/** The PayTag of a frozen customer stays suspended: for good, where the BVN was handed back to its owner. */
async function assertMayBeRestored(tx: Tx, keyring: Keyring, { owner, ownerApp }: TagWithOwner): Promise<void> {
  if (ownerApp.id !== payTagApplicationId) return;
  // The external id of a subject of PayTag is its customer's id. They are locked before their tag.
  const customerId = owner.externalId;
  if (!(await keepsBvn(tx, keyring, customerId))) {
    throw new DomainError('TAG_STATUS_CONFLICT', 'the BVN was handed back to its owner: this customer stays frozen');
  }
  if (await isFrozen(tx, keyring, customerId)) {
    throw new DomainError('TAG_STATUS_CONFLICT', 'its customer is frozen: release them, and their PayTag is restored');
  }
}

/**
 * Closes a tag for the operator in the caller's transaction, as `changeTagStatus` does.
 *
 * @throws DomainError TAG_STATUS_CONFLICT when it is closed already
 */
export async function closeTagFor(
  tx: Tx,
  deps: Omit<TagLifecycleDeps, 'db' | 'transact'>,
  { actor, handle, reason }: { actor: string; handle: string; reason: string },
): Promise<void> {
  const found = await findTagEvenClosed(tx, handle);
  if (found === undefined) throw new Error(`there is no tag ${handle}`);
  const status = await transitionWithDependants(tx, deps, found, 'CLOSED');
  const change = { before: { status, handle }, after: { status: 'CLOSED' } };
  await recordChange(tx, { actor, action: 'tag.close', target: found.tag.id, ...change, reason });
}

/**
 * Gives a tag a status, and when that is CLOSED ends its claims, its links and its customer's sessions.
 *
 * @returns the status it had until now
 * @throws DomainError TAG_STATUS_CONFLICT
 */
async function transitionWithDependants(
  tx: Tx,
  deps: Omit<TagLifecycleDeps, 'db' | 'transact'>,
  { tag, owner, ownerApp }: TagWithOwner,
  next: TagStatus,
): Promise<TagStatus> {
  const now = deps.clock.now();
  const before = await transitionTag(tx, tag.id, next, now);
  if (next !== 'CLOSED') return before;
  await endClaimsOfTag(tx, deps, tag.id, now);
  await endLinksOfTag(tx, tag.id, now);
  // The external id of a subject of PayTag is its customer's id.
  if (ownerApp.id === payTagApplicationId) await endSessionsOf(tx, { customerId: owner.externalId }, now);
  return before;
}

/**
 * The application of a tag's owner closes it, for good.
 *
 * @throws DomainError TAG_NOT_FOUND; NOT_PERMITTED for another application; TAG_STATUS_CONFLICT while it is suspended
 */
export async function closeOwnTag(
  deps: TagLifecycleDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<void> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  if (found.ownerApp.id !== caller.id) throw new DomainError('NOT_PERMITTED', 'this tag is another application’s');
  await deps.transact(async (tx) => {
    // Checked under the lock: the operator may have suspended the tag since it was read.
    if ((await transitionWithDependants(tx, deps, found, 'CLOSED')) === 'SUSPENDED') {
      throw new DomainError('TAG_STATUS_CONFLICT', 'this tag is suspended: ask the operator');
    }
  });
}
