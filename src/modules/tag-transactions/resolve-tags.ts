import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { payTagApplicationId } from '#modules/applications';
import { type Currency, findApplicationAccount } from '#modules/ledger';
import { effectiveStatus, findTag } from '#modules/tags';
import { findPrimaryAccount } from '#modules/wallets';
import type { Accounts } from './settlement-posting.ts';

/** A tag and the application whose subject owns it. */
interface TagSide {
  handle: string;
  applicationId: string;
}

/** The two tags of a transaction that is asked for, with the accounts behind them. */
export interface ResolvedTags {
  sender: TagSide;
  receiver: TagSide;
  accounts: Accounts;
  /** The receiver is a PayTag: its customer's wallet is paid at once. */
  isPayTag: boolean;
  /** Why nothing can be sent between them; undefined when it can. */
  refusal: 'TAG_NOT_PAYABLE' | undefined;
}

/**
 * Finds what is behind two tags, of which the first must be the caller's.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_TRANSFER
 */
export async function resolveTags(
  db: Executor,
  asked: { applicationId: string; senderTag: string; receiverTag: string; currency: Currency },
): Promise<ResolvedTags> {
  const sender = await resolve(db, asked.senderTag);
  if (sender.applicationId !== asked.applicationId) {
    throw new DomainError('NOT_PERMITTED', 'senderTag: belongs to another application');
  }
  const receiver = await resolve(db, asked.receiverTag);
  if (receiver.handle === sender.handle) {
    throw new DomainError('SELF_TRANSFER', 'receiverTag: is the sender’s own tag');
  }
  const isPayTag = receiver.applicationId === payTagApplicationId;
  const from = await findApplicationAccount(db, sender.applicationId, asked.currency);
  const to = isPayTag
    ? await findPrimaryAccount(db, receiver.externalId)
    : (await findApplicationAccount(db, receiver.applicationId, asked.currency))?.id;
  if (from === undefined) throw new Error(`application ${sender.applicationId} has no settlement wallet`);
  if (to === undefined) throw new DomainError('TAG_NOT_FOUND', 'receiverTag: no wallet stands behind this tag');
  const isSuspended = sender.isSuspended || receiver.isSuspended;
  return {
    sender,
    receiver,
    accounts: { sender: from.id, receiver: to },
    isPayTag,
    refusal: isSuspended ? 'TAG_NOT_PAYABLE' : undefined,
  };
}

/** Whether all of these tags can pay and be paid now. */
export async function areInUse(db: Executor, handles: readonly string[]): Promise<boolean> {
  for (const handle of handles) {
    const found = await findTag(db, handle);
    if (found === undefined || effectiveStatus(found.tag.status, found.ownerApp.status) !== 'ACTIVE') return false;
  }
  return true;
}

async function resolve(db: Executor, address: string) {
  const found = await findTag(db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const { tag, owner, ownerApp } = found;
  const status = effectiveStatus(tag.status, ownerApp.status);
  return {
    handle: tag.handle,
    isSuspended: status === 'SUSPENDED',
    applicationId: owner.applicationId,
    externalId: owner.externalId,
  };
}
