import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { findReports, type ReportedBy } from '#modules/collections';
import {
  type AfterSettling,
  asMinor,
  type Currency,
  findFloat,
  findReversalOf,
  listPending,
  lockTransaction,
  type Minor,
  type PendingFilter,
  type PendingReason,
  type Poster,
  type PostingResult,
  parkingReasonOf,
  refusalError,
  settledAccountOf,
  settlePendingInto,
  type TransactionRow,
  type TransactionType,
} from '#modules/ledger';
import { findWallet, findWalletOfAccount, toTransaction, type WalletTransaction } from '#modules/wallets';
import { notFound, postReversal } from './reverse-transaction.ts';

/** Money in suspense. */
export interface Waiting {
  /** The transaction's. */
  id: number;
  type: TransactionType;
  reference: string;
  externalReference: string | undefined;
  comment: string | undefined;
  partnerId: string | undefined;
  /** The payment less the charges, minor units. */
  amount: Minor;
  currency: Currency;
  reason: PendingReason;
  since: Date;
  /** Its wallet or float. */
  destination: { kind: string; reference: string };
  /** The rail's report. */
  report: ReportedBy | undefined;
}

/** The money in suspense by partner and reason, the oldest first. `count` is of all that match. */
export async function listSuspense(
  { db }: { db: Database },
  filter: PendingFilter & PageRequest<number>,
): Promise<Listed<Waiting, number>> {
  const { items, ...found } = await listPending(db, filter);
  const reports = await findReports(
    db,
    items.map(({ transaction }) => transaction.id),
  );
  return {
    ...found,
    items: items.map(({ transaction, amount, reason, destination }) => ({
      id: transaction.id,
      type: transaction.type,
      reference: transaction.reference,
      externalReference: transaction.externalReference ?? undefined,
      comment: transaction.comment ?? undefined,
      partnerId: transaction.partnerId ?? undefined,
      amount,
      currency: transaction.currency,
      reason,
      since: transaction.createdAt,
      destination,
      report: reports.get(transaction.id),
    })),
  };
}

type Deps = { transact: Transact; keyring: Keyring; poster: Poster; afterSettling: AfterSettling };

/** The destination of money in suspense: a wallet or the float of its own partner, or back to its source. */
export type Resolution =
  | { to: 'wallet'; walletReference: string }
  | { to: 'float' }
  /** `reference` is the reversal's own. */
  | { to: 'return'; reference: string };

export type ResolveRequest = Resolution & { actor: string; id: number; reason: string };

/**
 * Resolves money in suspense. A repeated call answers the same. A credit is published. Audited.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND; WALLET_NOT_FOUND, also for a wallet of another partner; TRANSACTION_NOT_PENDING for
 *   money that was never in suspense or was resolved otherwise; why the wallet cannot take it now; REFERENCE_REUSED
 */
export async function resolveSuspense(deps: Deps, request: ResolveRequest): Promise<WalletTransaction> {
  const { transact, poster } = deps;
  if (request.to === 'wallet') {
    const { walletReference: reference } = request;
    return transact(async (tx) => {
      const partnerId = await partnerOf(tx, deps.keyring, await requirePending(tx, request.id));
      const { account } = await findWallet(tx, deps.keyring, { partnerId, reference });
      return settleInto(tx, deps, request, { account, target: { wallet: reference, partnerId } });
    });
  }
  if (request.to === 'float') {
    return transact(async (tx) => {
      const pending = await requirePending(tx, request.id);
      const partnerId = await partnerOf(tx, deps.keyring, pending);
      const float = await findFloat(tx, deps.keyring, partnerId, pending.currency);
      if (float === undefined) throw ofNoPartner();
      return settleInto(tx, deps, request, { account: float.id, target: { float: partnerId } });
    });
  }
  const { reference, actor, reason } = request;
  const { result, transaction } = await transact(async (tx) => {
    const original = await requirePending(tx, request.id);
    const reversal = original.status === 'Pending' ? undefined : await findReversalOf(tx, original.id);
    if (original.status !== 'Pending' && (original.completedAt !== null || reversal?.reference !== reference)) {
      throw resolvedAlready(original);
    }
    const tried: PostingResult = await postReversal(tx, poster, original, { actor, reference, reason });
    return { result: tried, transaction: await requirePending(tx, request.id) };
  });
  if ('refusal' in result) throw refusalError(result.refusal);
  return shown(transaction);
}

/**
 * The amount in suspense under this id, now or earlier, minor units.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, and the refusals of resolving it
 */
export async function amountInSuspense({ transact }: { transact: Transact }, id: number): Promise<Minor> {
  return asMinor((await transact(async (tx) => requirePending(tx, id))).amount);
}

async function settleInto(
  tx: Tx,
  { afterSettling }: Deps,
  { actor, id, to, reason }: ResolveRequest,
  { account, target }: { account: number; target: Record<string, unknown> },
): Promise<WalletTransaction> {
  const pending = await requirePending(tx, id);
  if (pending.status !== 'Pending') {
    if (pending.completedAt === null || (await settledAccountOf(tx, id)) !== account) throw resolvedAlready(pending);
    return shown(pending);
  }
  if ((await settlePendingInto(tx, { transactionId: id, account, afterSettling })) === 'Pending') {
    throw refusalError(await parkingReasonOf(tx, { transactionId: id, account }));
  }
  const before = { status: 'Pending', pendingReason: pending.pendingReason };
  const after = { to, ...target, amount: String(pending.amount), currency: pending.currency };
  await recordChange(tx, { actor, action: 'suspense.resolve', target: pending.reference, before, after, reason });
  return shown(await requirePending(tx, id));
}

/** A transaction that waits in suspense or has waited, locked. */
async function requirePending(tx: Tx, id: number): Promise<TransactionRow> {
  const found = await lockTransaction(tx, id);
  if (found === undefined) throw notFound();
  if (found.pendingReason === null) throw resolvedAlready(found);
  return found;
}

/** The owner of money in suspense: the partner in whose book it stands, or else the owner of the wallet it was meant for. */
async function partnerOf(tx: Tx, keyring: Keyring, { partnerId, destinationId }: TransactionRow): Promise<string> {
  const meant = destinationId === null ? undefined : await findWalletOfAccount(tx, keyring, destinationId);
  const owner = partnerId ?? meant?.partnerId;
  if (owner === undefined) throw ofNoPartner();
  return owner;
}

const ofNoPartner = () => new DomainError('PARTNER_NOT_FOUND', 'this transaction belongs to no partner');

const resolvedAlready = ({ status }: TransactionRow) =>
  new DomainError('TRANSACTION_NOT_PENDING', `this transaction has no money in suspense: it is ${status}`);

const shown = (transaction: TransactionRow): WalletTransaction =>
  toTransaction({ transaction, entry: null }, transaction.partnerId ?? undefined);
