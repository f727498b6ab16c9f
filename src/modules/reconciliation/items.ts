import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge } from '#lib/minor-units.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { mayBecome } from '#lib/state-machine.ts';
import { recordChange } from '#modules/audit';
import { findInbound, reportPayment } from '#modules/collections';
import { ALL_PARTNERS, asMinor, assertPosted, negated, type Poster, systemAccount } from '#modules/ledger';
import { findWalletByNuban } from '#modules/wallets';
import { type ItemStatus, itemTransitions } from './item-status.ts';
import { clearingEntry } from './open-store.ts';
import { clearingAccount, type Rail } from './rails.ts';
import { openSaid, type Said } from './said.ts';
import {
  deleteAlone,
  findItem,
  findItemParts,
  type ImportRow,
  type ItemFilter,
  type ItemParts,
  type ItemRow,
  lockRail,
  selectImports,
  selectItems,
  updateItem,
} from './store.ts';

/** A line of a bank, a posting of ours, or both, as the operator sees it. */
export interface ItemView extends Omit<ItemRow, 'saidSealed' | 'lineDigest'>, Said {
  /** The posting's reference. */
  ourReference: string | undefined;
}

/** Lines and postings, of all files or one, the newest first. */
export async function listItems(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { limit, offset, cursor, isUncounted, ...filter }: ItemFilter & PageRequest<string>,
): Promise<Listed<ItemView, string>> {
  const { items, ...found } = await selectItems(db, filter, { limit, offset, cursor, isUncounted });
  return { items: items.map((parts) => toItemView(keyring, parts)), ...found };
}

const toItemView = (keyring: Keyring, { row, ourReference }: ItemParts): ItemView => {
  const { saidSealed: _sealed, lineDigest: _known, ...shown } = row;
  return { ...shown, ...openSaid(keyring, row), ourReference: ourReference ?? undefined };
};

/** Files that were imported, the newest first. */
export async function listImports(
  { db }: { db: Executor },
  { limit, offset, cursor, ...filter }: { rail?: Rail | undefined } & PageRequest<string>,
): Promise<Listed<ImportRow, string>> {
  return selectImports(db, filter, { limit, offset, cursor });
}

/** The accounts that a difference may be posted to: unexplained differences, or our fees and income. */
export const postable = ['DIFFERENCE', 'FEE', 'COMMISSION', 'STAMP_DUTY'] as const;

type Postable = (typeof postable)[number];

/** What the bank says of an item less what our books say: what came in is above zero. */
const differenceOf = ({ bankAmount, ourAmount }: Pick<ItemRow, 'bankAmount' | 'ourAmount'>): bigint =>
  (bankAmount ?? 0n) - (ourAmount ?? 0n);

/** Posts what an item differs by between the clearing account of its rail and one of ours, once. @returns the transaction's id */
async function postDifference(tx: Tx, poster: Poster, item: ItemRow, account: Postable): Promise<number> {
  const difference = differenceOf(item);
  const [clearing, ours] = [clearingAccount(item.rail), systemAccount(account, 'NGN')];
  const amount = asMinor(difference < 0n ? -difference : difference);
  const [source, destination] = difference > 0n ? [clearing, ours] : [ours, clearing];
  const type = 'ADJUSTMENT';
  const posted = assertPosted(
    await poster.tryPost(tx, {
      owner: ALL_PARTNERS,
      namer: 'OPERATOR',
      reference: `reconciliation-${item.id}`,
      type,
      amount,
      currency: 'NGN',
      source,
      destination,
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      request: { type, account, amount, item: item.id },
    }),
  );
  return posted.id;
}

/**
 * What an operator does with what is open. MATCH pairs a line with a posting, or says that a day which differs is right. TIMING
 * waits for the other side, which a later file or posting brings. BOOK reports what came in and our books lack, for a wallet.
 * POST posts what is different to an account of ours. DISTINCT says that a line which was taken for one of an earlier file is another
 * one, which is open then.
 */
export type Resolution =
  | { action: 'MATCH'; transactionId: number }
  | { action: 'TIMING' }
  | { action: 'DISTINCT' }
  | { action: 'BOOK'; nuban: string; senderName?: string | undefined }
  | { action: 'POST'; account: Postable };

type Deps = DepsOf<typeof reportPayment> & { db: Database; keyring: Keyring; clock: Clock };

type Asked = Resolution & {
  id: string;
  actor: string;
  reason: string;
  /** Of what BOOK and POST move. */
  judge: Judge;
};

type Change = Partial<Pick<ItemRow, 'transactionId' | 'ourDay' | 'ourAmount' | 'adjustmentId'>> & {
  status: ItemStatus;
};

/**
 * Closes an item, or has it wait. Done twice it answers as it did. Audited.
 *
 * @throws DomainError RECONCILIATION_ITEM_NOT_FOUND; RECONCILIATION_ITEM_STATE_CONFLICT for one that is closed, or that the
 *   action does not suit; REFERENCE_REUSED for one that was posted to another account or booked for another wallet; TRANSACTION_NOT_FOUND; WALLET_NOT_FOUND and
 *   what else a report is refused for
 */
export async function resolveItem(deps: Deps, asked: Asked): Promise<ItemView> {
  const { id } = asked;
  const before = await requireItem(deps.db, id);
  const isSame = asked.action !== 'MATCH' || before.transactionId === asked.transactionId;
  const isDone = before.action === asked.action && isSame && before.status !== 'AMOUNT_DIFFERS';
  if (!isDone) {
    await deps.transact(async (tx) => resolve(tx, deps, asked, before.rail));
  } else if (asked.action === 'POST') {
    // Posts nothing: it is there. Of another account it is refused.
    await deps.transact(async (tx) => postDifference(tx, deps.poster, before, asked.account));
  } else if (asked.action === 'BOOK') {
    // The same, under the reference that it was booked by: what it would post under another is undone.
    await deps.transact(async (tx) => {
      const posting = await clearingEntry(tx, before.rail, before.transactionId ?? 0);
      const own = `bank-${id}`;
      const reference = posting?.references.includes(own) === true ? own : await bookedAs(tx, deps.keyring, before);
      if ((await book(tx, deps, before, asked, reference)) !== before.transactionId)
        throw conflict(before, 'it was booked');
    });
  }
  const parts = await findItemParts(deps.db, id);
  if (parts === undefined) throw itemNotFound();
  return toItemView(deps.keyring, parts);
}

async function resolve(tx: Tx, deps: Deps, asked: Asked, rail: ItemRow['rail']): Promise<void> {
  await lockRail(tx, rail);
  const item = await requireItem(tx, asked.id);
  const change = await changeOf(tx, deps, item, asked);
  if (!mayBecome(itemTransitions, item.status, change.status))
    throw conflict(item, `it cannot become ${change.status}`);
  const { actor, action, reason, id } = asked;
  const difference = differenceOf(item);
  if (action === 'BOOK' || action === 'POST') asked.judge(asMinor(difference < 0n ? -difference : difference));
  const now = deps.clock.now();
  await updateItem(tx, { ...item, ...change, action, reason, resolvedBy: actor, resolvedAt: now, updatedAt: now });
  const { transactionId, adjustmentId } = { ...item, ...change };
  const after = {
    status: change.status,
    action,
    ...(transactionId === null ? {} : { transactionId }),
    ...(adjustmentId === null ? {} : { adjustmentId, amount: String(differenceOf(item)) }),
    ...('account' in asked ? { account: asked.account } : {}),
  };
  await recordChange(tx, {
    actor,
    action: 'reconciliation.resolve',
    target: id,
    before: { status: item.status },
    after,
    reason,
  });
}

async function changeOf(tx: Tx, deps: Deps, item: ItemRow, asked: Asked): Promise<Change> {
  switch (asked.action) {
    case 'TIMING':
      return { status: 'TIMING' };
    case 'DISTINCT':
      if (item.status !== 'REPEATED') throw conflict(item, 'it was not taken for a line of an earlier file');
      return { status: 'DUPLICATE' };
    case 'POST':
      if (!mayBecome(itemTransitions, item.status, 'RESOLVED')) throw conflict(item, 'there is no difference to post');
      return { status: 'RESOLVED', adjustmentId: await postDifference(tx, deps.poster, item, asked.account) };
    case 'BOOK':
      refuseUnlessAlone(item);
      return pairWith(tx, item, await book(tx, deps, item, asked, await bookedAs(tx, deps.keyring, item)));
    default:
      if (item.status === 'DAY_DIFFERS' && item.transactionId === asked.transactionId) return { status: 'MATCHED' };
      return pairWith(tx, item, asked.transactionId);
  }
}

/** Gives a line that is alone its posting. */
async function pairWith(tx: Tx, item: ItemRow, transactionId: number): Promise<Change> {
  refuseUnlessAlone(item);
  const entry = await clearingEntry(tx, item.rail, transactionId);
  if (entry === undefined) {
    throw new DomainError('TRANSACTION_NOT_FOUND', 'no such transaction moved the clearing account of this rail');
  }
  if (entry.isTaken) throw conflict(item, 'another line has this posting');
  if (entry.itemId !== undefined) await deleteAlone(tx, [entry.itemId]);
  const status = entry.amount === item.bankAmount ? 'MATCHED' : 'AMOUNT_DIFFERS';
  return { status, transactionId, ourDay: entry.day, ourAmount: entry.amount };
}

function refuseUnlessAlone(item: ItemRow): void {
  if (item.line === null) throw conflict(item, 'match the line, and name this posting there');
  if (item.transactionId !== null || item.status === 'REPEATED') throw conflict(item, 'nothing of it is open');
}

/**
 * Under which reference a line is booked: its own, so that a report of the rail is the same one, unless another line has that, or what
 * was posted under it.
 */
async function bookedAs(tx: Tx, keyring: Keyring, item: ItemRow): Promise<string> {
  const { id, status } = item;
  const { reference, bankReference } = openSaid(keyring, item);
  const theirs = [reference, bankReference]
    .map((one) => one.replaceAll(/[^\x21-\x7e]/g, ''))
    .find(({ length }) => length > 0 && length <= 100);
  if (status === 'DUPLICATE' || theirs === undefined) return `bank-${id}`;
  const known = await findInbound(tx, theirs);
  if (known === undefined || known.id === item.transactionId || known.amount !== item.bankAmount) return theirs;
  return (await clearingEntry(tx, item.rail, known.id))?.isTaken === true ? `bank-${id}` : theirs;
}

/** Reports what came in for a wallet: a report of the rail itself under this reference is the same one, and so is one made since. */
async function book(
  tx: Tx,
  deps: Deps,
  item: ItemRow,
  { actor, reason, ...asked }: Extract<Asked, { action: 'BOOK' }>,
  reference: string,
): Promise<number> {
  if (item.rail !== 'INBOUND' || item.bankAmount === null || item.bankAmount < 0n) {
    throw conflict(item, 'only what came in on INBOUND can be booked');
  }
  // In this transaction: what another has done with the line meanwhile undoes it.
  const here = { ...deps, transact: <Result>(work: (one: Tx) => Promise<Result>) => work(tx) };
  try {
    const { id: booked } = await reportPayment(here, {
      type: 'INBOUND',
      actor,
      reason,
      amount: asMinor(item.bankAmount),
      reference,
      nuban: asked.nuban,
      sender: { name: asked.senderName },
      isKnownByTarget: true,
    });
    return booked;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'REFERENCE_REUSED')) throw error;
    const known = await findInbound(tx, reference);
    const { account } = await findWalletByNuban(deps.db, deps.keyring, asked.nuban);
    const isSame = known?.amount === item.bankAmount && known.sourceId === clearingAccount(item.rail);
    if (!isSame || known.destinationId !== account) throw error;
    return known.id;
  }
}

async function requireItem(db: Database | Tx, id: string): Promise<ItemRow> {
  const found = await findItem(db, id);
  if (found === undefined) throw itemNotFound();
  return found;
}

const itemNotFound = (): DomainError => new DomainError('RECONCILIATION_ITEM_NOT_FOUND', 'there is no such item');

const conflict = ({ status }: ItemRow, why: string): DomainError =>
  new DomainError('RECONCILIATION_ITEM_STATE_CONFLICT', `the item is ${status}: ${why}`);
