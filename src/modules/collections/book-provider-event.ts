import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { asMinor, systemAccount } from '#modules/ledger';
import { applyProviderStatus } from '#modules/payouts';
import type { FoundWallet } from '#modules/wallets';
import type { MessageContent, ReadMessage } from '../../providers/hooks/port.ts';
import { findWalletOfNumber } from './inbound-accounts.ts';
import { readMessage } from './message.ts';
import { collectInbound, findInbound } from './report-payment.ts';
import { type MessageRow, selectBooked, updateMessage } from './store.ts';
import type { Difference } from './tables.ts';

/** The result of booking a message. */
export type Outcome =
  | { state: 'BOOKED'; transactionId: number }
  | { state: 'IGNORED' }
  /** `isRetried`: the missing payout or account may still appear. */
  | { state: 'DIFFERENT'; difference: Difference; transactionId?: number | undefined; isRetried?: boolean };

export type BookingDeps = DepsOf<typeof applyProviderStatus> &
  DepsOf<typeof collectInbound> & { db: Database; keyring: Keyring; securityLog: SecurityLog };

export interface Booking {
  id: string;
  provider: string;
  content: MessageContent;
  /** The change of the message for an outcome. */
  changeFor: (outcome: Outcome) => Partial<MessageRow>;
  /** Runs in the same transaction when a payment is booked. */
  also?: ((tx: Tx) => Promise<void>) | undefined;
  /** The operator who names the wallet, and the reason. */
  by?: { actor: string; reason: string } | undefined;
}

/** Books a provider's message, once however often it is called, and records the outcome. @throws Error when it cannot be booked now */
export async function bookProviderEvent(deps: BookingDeps, booking: Booking): Promise<Outcome> {
  const { provider, content, id, changeFor } = booking;
  if (content.kind === 'CHARGE') {
    const wallet = await walletOf(deps, provider, content);
    return bookCharge(deps, { ...booking, content, wallet });
  }
  const outcome = await outcomeOf(deps, booking);
  await updateMessage(deps.db, id, changeFor(outcome));
  return outcome;
}

async function outcomeOf(deps: BookingDeps, { provider, content }: Booking): Promise<Outcome> {
  if (content.kind === 'TRANSFER') return applyProviderStatus(deps, { provider, ...content });
  if (content.kind === 'UNREADABLE') return { state: 'DIFFERENT', difference: 'UNREADABLE' };
  const isRefused = content.kind === 'ACCOUNT' && !content.isAssigned;
  return isRefused ? { state: 'DIFFERENT', difference: 'ACCOUNT_REFUSED' } : { state: 'IGNORED' };
}

type Charge = Extract<MessageContent, { kind: 'CHARGE' }>;

/** The wallet of an account number. An altered record counts as unknown, so the payment stays in the inbox. */
async function walletOf(
  deps: BookingDeps,
  provider: string,
  { accountNumber }: Charge,
): Promise<FoundWallet | undefined> {
  if (accountNumber === undefined) return undefined;
  try {
    return await findWalletOfNumber(deps, { provider, accountNumber });
  } catch (error) {
    if (!(error instanceof AlteredRecord)) throw error;
    deps.securityLog.record('stored_record_altered', { record: error.record });
    return undefined;
  }
}

/**
 * Credits a wallet with a payment to its account number, into suspense if the wallet cannot be credited. A payment without a
 * known wallet, without an amount or in another currency stays in the inbox.
 *
 * @param wallet undefined if unknown
 */
export async function bookCharge(
  deps: BookingDeps,
  {
    id,
    provider,
    content,
    wallet,
    changeFor,
    also,
    by,
  }: Booking & { content: Charge; wallet: FoundWallet | undefined },
): Promise<Outcome> {
  const { reference, amount, sender, narration } = content;
  const outcome = await outcomeWithoutBooking(deps, content, wallet);
  if (outcome !== undefined || wallet === undefined) {
    const known = outcome ?? unknownAccount(content);
    await updateMessage(deps.db, id, changeFor(known));
    return known;
  }
  let booked: Outcome | undefined;
  const collection = {
    ...by,
    wallet,
    provider,
    reference,
    amount: asMinor(amount),
    sender: { name: sender.name, type: sender.bank },
    comment: narration,
  };
  await collectInbound(deps, collection, async (tx, transaction) => {
    await also?.(tx);
    booked = { state: 'BOOKED', transactionId: transaction.id };
    await updateMessage(tx, id, changeFor(booked));
  });
  if (booked === undefined) throw new Error(`message ${id} was not booked`);
  return booked;
}

/** The outcome of a charge that is not booked now; undefined: book it. */
async function outcomeWithoutBooking(
  deps: BookingDeps,
  content: Charge,
  wallet: FoundWallet | undefined,
): Promise<Outcome | undefined> {
  const { reference, amount, currency } = content;
  const earlier = await findInbound(deps.db, reference);
  if (earlier !== undefined) {
    const { id: transactionId } = earlier;
    if (earlier.amount !== amount) return { state: 'DIFFERENT', difference: 'AMOUNT_DIFFERS', transactionId };
    const isOurs = earlier.sourceId === systemAccount('CLEARING_COLLECTION', 'NGN');
    const matches =
      wallet === undefined
        ? await namesSameAccount(deps, { content, transactionId, isOurs })
        : earlier.destinationId === wallet.account;
    if (!matches) return { state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS', transactionId };
    if (!isOurs) return { state: 'DIFFERENT', difference: 'REPORTED_ALREADY', transactionId };
    return { state: 'BOOKED', transactionId };
  }
  if (currency !== 'NGN') return { state: 'DIFFERENT', difference: 'CURRENCY_DIFFERS' };
  if (amount === 0n) return { state: 'DIFFERENT', difference: 'AMOUNT_ZERO' };
  return wallet === undefined ? unknownAccount(content) : undefined;
}

/** The account may still become known, unless the message names two. */
const unknownAccount = ({ contradictsItself }: Charge): Outcome =>
  contradictsItself
    ? { state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS' }
    : { state: 'DIFFERENT', difference: 'ACCOUNT_UNKNOWN', isRetried: true };

/** Whether a payment without a known wallet is the booked one: its message names no account, or the same as the booked message. */
async function namesSameAccount(
  { db, keyring }: BookingDeps,
  { content, transactionId, isOurs }: { content: Charge; transactionId: number; isOurs: boolean },
): Promise<boolean> {
  const { accountNumber, contradictsItself } = content;
  if (!contradictsItself && (accountNumber === undefined || !isOurs)) return true;
  const booked = await selectBooked(db, { transactionId });
  return booked.some((row) => {
    const { content: earlier } = readMessage(keyring, row);
    return (
      earlier.kind === 'CHARGE' &&
      earlier.accountNumber === accountNumber &&
      earlier.contradictsItself === contradictsItself
    );
  });
}

/** The columns of a message that was read: its content and its outcome. */
export function changeOf(
  outcome: Outcome,
  { read: { event, content }, attempts, now }: { read: ReadMessage; attempts: number; now: Date },
): Partial<MessageRow> {
  const movement = content.kind === 'TRANSFER' || content.kind === 'CHARGE' ? content : undefined;
  const isRetried = outcome.state === 'DIFFERENT' && outcome.isRetried === true;
  return {
    event: event ?? null,
    kind: content.kind === 'UNREADABLE' ? null : content.kind,
    reference: movement?.reference ?? null,
    amount: movement?.amount ?? null,
    currency: movement?.currency ?? null,
    outcome: content.kind === 'TRANSFER' ? content.outcome : null,
    lastError: null,
    state: outcome.state,
    difference: outcome.state === 'DIFFERENT' ? outcome.difference : null,
    transactionId: ('transactionId' in outcome ? outcome.transactionId : undefined) ?? null,
    dueAt: isRetried ? retryAt(now, attempts) : null,
    endedAt: outcome.state === 'DIFFERENT' ? null : now,
    updatedAt: now,
  };
}

const RETRY_BASE_MS = 1_000;

const RETRY_MAX_MS = 60 * 60_000;

/** The time of the next retry: the interval doubles, up to an hour. */
export const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(0, attempts - 1), RETRY_MAX_MS));
