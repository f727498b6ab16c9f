import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  type AfterSettling,
  asMinor,
  findFloat,
  findReversalOf,
  lockTransaction,
  type Minor,
  type Poster,
  type PostingResult,
  parkingReasonOf,
  refusalError,
  settledAccountOf,
  settlePendingInto,
  type TransactionRow,
} from '#modules/ledger';
import { findWallet, findWalletOfAccount, toTransaction, type WalletTransaction } from '#modules/wallets';
import { notFound, postReversal } from './reverse-transaction.ts';

type Deps = { transact: Transact; keyring: Keyring; poster: Poster; afterSettling: AfterSettling };

/** Where money that waits is to go: into a wallet or the float of its own partner, or back. */
export type Resolution =
  | { to: 'wallet'; walletReference: string }
  | { to: 'float' }
  /** `reference` is the reversal's own. */
  | { to: 'return'; reference: string };

export type ResolveRequest = Resolution & { actor: string; id: number; reason: string };

/**
 * Ends the waiting of what is in suspense. Repeated, it answers as it did. What is credited is published then. Audited.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND; WALLET_NOT_FOUND, also for a wallet of another partner;
 *   TRANSACTION_NOT_PENDING for what never waited or has been
 *   resolved otherwise; why the wallet does not take it now; REFERENCE_REUSED
 */
export async function resolveSuspense(deps: Deps, request: ResolveRequest): Promise<WalletTransaction> {
  const { transact, poster } = deps;
  if (request.to === 'wallet') {
    const { walletReference: reference } = request;
    return transact(async (tx) => {
      const partnerId = await partnerOf(tx, deps.keyring, await requireWaited(tx, request.id));
      const { account } = await findWallet(tx, deps.keyring, { partnerId, reference });
      return settleInto(tx, deps, request, { account, target: { wallet: reference, partnerId } });
    });
  }
  if (request.to === 'float') {
    return transact(async (tx) => {
      const waiting = await requireWaited(tx, request.id);
      const partnerId = await partnerOf(tx, deps.keyring, waiting);
      const float = await findFloat(tx, deps.keyring, partnerId, waiting.currency);
      if (float === undefined) throw ofNoPartner();
      return settleInto(tx, deps, request, { account: float.id, target: { float: partnerId } });
    });
  }
  const { reference, actor, reason } = request;
  const { result, transaction } = await transact(async (tx) => {
    const original = await requireWaited(tx, request.id);
    const reversal = original.status === 'Pending' ? undefined : await findReversalOf(tx, original.id);
    if (original.status !== 'Pending' && (original.completedAt !== null || reversal?.reference !== reference)) {
      throw resolvedAlready(original);
    }
    const tried: PostingResult = await postReversal(tx, poster, original, { actor, reference, reason });
    return { result: tried, transaction: await requireWaited(tx, request.id) };
  });
  if ('refusal' in result) throw refusalError(result.refusal);
  return shown(transaction);
}

/**
 * What waits under this id, or waited, minor units.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, and what else resolving it would be refused for
 */
export async function amountInSuspense({ transact }: { transact: Transact }, id: number): Promise<Minor> {
  return asMinor((await transact(async (tx) => requireWaited(tx, id))).amount);
}

async function settleInto(
  tx: Tx,
  { afterSettling }: Deps,
  { actor, id, to, reason }: ResolveRequest,
  { account, target }: { account: number; target: Record<string, unknown> },
): Promise<WalletTransaction> {
  const waiting = await requireWaited(tx, id);
  if (waiting.status !== 'Pending') {
    if (waiting.completedAt === null || (await settledAccountOf(tx, id)) !== account) throw resolvedAlready(waiting);
    return shown(waiting);
  }
  if ((await settlePendingInto(tx, { transactionId: id, account, afterSettling })) === 'Pending') {
    throw refusalError(await parkingReasonOf(tx, { transactionId: id, account }));
  }
  const before = { status: 'Pending', pendingReason: waiting.pendingReason };
  const after = { to, ...target, amount: String(waiting.amount), currency: waiting.currency };
  await recordChange(tx, { actor, action: 'suspense.resolve', target: waiting.reference, before, after, reason });
  return shown(await requireWaited(tx, id));
}

/** A transaction that waits in suspense or has waited, locked. */
async function requireWaited(tx: Tx, id: number): Promise<TransactionRow> {
  const found = await lockTransaction(tx, id);
  if (found === undefined) throw notFound();
  if (found.pendingReason === null) throw resolvedAlready(found);
  return found;
}

/** Whose what waits is: the partner's in whose book it stands, or else whose wallet it was meant for. */
async function partnerOf(tx: Tx, keyring: Keyring, { partnerId, destinationId }: TransactionRow): Promise<string> {
  const meant = destinationId === null ? undefined : await findWalletOfAccount(tx, keyring, destinationId);
  const owner = partnerId ?? meant?.partnerId;
  if (owner === undefined) throw ofNoPartner();
  return owner;
}

const ofNoPartner = () => new DomainError('PARTNER_NOT_FOUND', 'this transaction belongs to no partner');

const resolvedAlready = ({ status }: TransactionRow) =>
  new DomainError('TRANSACTION_NOT_PENDING', `nothing of this transaction waits so: it is ${status}`);

const shown = (transaction: TransactionRow): WalletTransaction =>
  toTransaction({ transaction, entry: null }, transaction.partnerId ?? undefined);
