import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, readRow } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { payTagApplicationId } from '#modules/applications';
import { accountRoute, type Currency } from '#modules/ledger';
import { assertPayable, parseAddress } from '#modules/tags';
import { assertWallet } from '#modules/wallets';
import { selectParties, type TagParty } from './parties-store.ts';
import type { Accounts } from './settlement-posting.ts';

/** The two tags of a transaction that is asked for, with the accounts behind them. */
export interface ResolvedTags {
  /** The id of a transaction between them. */
  id: string;
  sender: TagParty;
  receiver: TagParty;
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
 * @throws AlteredRecord when what stands behind one of them is not as we stored it
 */
export async function resolveTags(
  db: Executor,
  keyring: Keyring,
  asked: { applicationId: string; senderTag: string; receiverTag: string; currency: Currency },
): Promise<ResolvedTags> {
  const [from, to] = [parseAddress(asked.senderTag), parseAddress(asked.receiverTag)];
  const found = await selectParties(db, { sender: from.handle, receiver: to.handle, currency: asked.currency });
  const sender = required(found?.sender, from.namespace);
  if (sender.applicationId !== asked.applicationId) {
    throw new DomainError('NOT_PERMITTED', 'senderTag: belongs to another application');
  }
  const receiver = required(found?.receiver, to.namespace);
  if (receiver.handle === sender.handle) {
    throw new DomainError('SELF_TRANSFER', 'receiverTag: is the sender’s own tag');
  }
  const accounts = { sender: accountBehind(keyring, sender), receiver: accountBehind(keyring, receiver) };
  if (found === undefined || accounts.sender === undefined) {
    throw new Error(`application ${sender.applicationId} has no settlement wallet`);
  }
  if (accounts.receiver === undefined) {
    throw new DomainError('TAG_NOT_FOUND', 'receiverTag: no wallet stands behind this tag');
  }
  return {
    id: found.id,
    sender,
    receiver,
    accounts: { sender: accounts.sender, receiver: accounts.receiver },
    isPayTag: receiver.applicationId === payTagApplicationId,
    refusal: sender.isSuspended || receiver.isSuspended ? 'TAG_NOT_PAYABLE' : undefined,
  };
}

/** The account whose money is behind a tag, all the way as we stored it; undefined where there is none. */
function accountBehind(keyring: Keyring, { account, wallet, ...party }: TagParty): number | undefined {
  assertPayable(keyring, party);
  if (wallet !== null) assertWallet(keyring, wallet);
  if (account !== null) assertAuthentic(keyring, accountRoute, readRow(account));
  const id = wallet?.accountId ?? account?.id;
  return id == null ? undefined : Number(id);
}

function required(party: TagParty | null | undefined, namespace: string | undefined): TagParty {
  if (party == null || (namespace !== undefined && namespace !== party.namespace)) {
    throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  }
  return party;
}
