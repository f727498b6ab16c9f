import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { asMinor, systemAccount } from '#modules/ledger';
import { hearOfPayout } from '#modules/payouts';
import type { FoundWallet } from '#modules/wallets';
import type { Told } from '../../providers/hooks/port.ts';
import { findWalletOfNumber } from './find-accounts.ts';
import { type MessageRow, selectBooked, updateMessage } from './inbox-store.ts';
import type { Difference } from './message-state.ts';
import { readMessage } from './read-message.ts';
import { collectInbound, findInbound } from './report-inbound.ts';

/** What has become of a message. */
export type Outcome =
  | { state: 'BOOKED'; transactionId: number }
  | { state: 'IGNORED' }
  /** `isTriedAgain`: what is missing may still come. */
  | { state: 'DIFFERENT'; difference: Difference; transactionId?: number | undefined; isTriedAgain?: boolean };

export type BookingDeps = DepsOf<typeof hearOfPayout> &
  DepsOf<typeof collectInbound> & { db: Database; keyring: Keyring; securityLog: SecurityLog };

export interface Booking {
  id: string;
  provider: string;
  told: Told;
  /** What is to be written of the message beside its outcome. */
  changeFor: (outcome: Outcome) => Partial<MessageRow>;
  /** What else is to be written, in the same transaction, when it is booked as money that came in. */
  also?: ((tx: Tx) => Promise<void>) | undefined;
  /** The operator who says whose it is, and why. */
  by?: { actor: string; reason: string } | undefined;
}

/** Books what a provider told, once however often it is told, and writes what has become of it. @throws Error when it cannot be booked now */
export async function bookTold(deps: BookingDeps, booking: Booking): Promise<Outcome> {
  const { provider, told, id, changeFor } = booking;
  if (told.kind === 'CHARGE') {
    const wallet = await walletOf(deps, provider, told);
    return bookCharge(deps, { ...booking, told, wallet });
  }
  const outcome = await outcomeOf(deps, booking);
  await updateMessage(deps.db, id, changeFor(outcome));
  return outcome;
}

async function outcomeOf(deps: BookingDeps, { provider, told }: Booking): Promise<Outcome> {
  if (told.kind === 'TRANSFER') return hearOfPayout(deps, { provider, ...told });
  if (told.kind === 'UNREADABLE') return { state: 'DIFFERENT', difference: 'UNREADABLE' };
  const isRefused = told.kind === 'ACCOUNT' && !told.isAssigned;
  return isRefused ? { state: 'DIFFERENT', difference: 'ACCOUNT_REFUSED' } : { state: 'IGNORED' };
}

type Charge = Extract<Told, { kind: 'CHARGE' }>;

/** Whose an account number is; nobody's where what we stored of that was altered: it waits in the inbox, as money for an unknown one. */
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
 * Credits a wallet with what was paid to its account number: into suspense where the wallet does not take it. What has no wallet,
 * no amount or is not naira waits in the inbox, for nobody knows whose it is.
 *
 * @param wallet undefined where nobody knows whose it is
 */
export async function bookCharge(
  deps: BookingDeps,
  { id, provider, told, wallet, changeFor, also, by }: Booking & { told: Charge; wallet: FoundWallet | undefined },
): Promise<Outcome> {
  const { reference, amount, sender, narration } = told;
  const outcome = await judge(deps, told, wallet);
  if (outcome !== undefined || wallet === undefined) {
    const known = outcome ?? unknownAccount(told);
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

/** What a charge comes to without being booked; undefined: it is to be booked, if its wallet is known. */
async function judge(deps: BookingDeps, told: Charge, wallet: FoundWallet | undefined): Promise<Outcome | undefined> {
  const { reference, amount, currency } = told;
  const earlier = await findInbound(deps.db, reference);
  if (earlier !== undefined) {
    const { id: transactionId } = earlier;
    if (earlier.amount !== amount) return { state: 'DIFFERENT', difference: 'AMOUNT_DIFFERS', transactionId };
    const isOurs = earlier.sourceId === systemAccount('CLEARING_COLLECTION', 'NGN');
    const isTheirs =
      wallet === undefined
        ? await isNamedSo(deps, { told, transactionId, isOurs })
        : earlier.destinationId === wallet.account;
    if (!isTheirs) return { state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS', transactionId };
    if (!isOurs) return { state: 'DIFFERENT', difference: 'REPORTED_ALREADY', transactionId };
    return { state: 'BOOKED', transactionId };
  }
  if (currency !== 'NGN') return { state: 'DIFFERENT', difference: 'CURRENCY_DIFFERS' };
  if (amount === 0n) return { state: 'DIFFERENT', difference: 'AMOUNT_ZERO' };
  return wallet === undefined ? unknownAccount(told) : undefined;
}

/** Whose it is may still become known, unless its message names two. */
const unknownAccount = ({ contradictsItself }: Charge): Outcome =>
  contradictsItself
    ? { state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS' }
    : { state: 'DIFFERENT', difference: 'ACCOUNT_UNKNOWN', isTriedAgain: true };

/** Whether a payment that names no wallet of ours is the one that was booked: its message names no account, or what that one's did. */
async function isNamedSo(
  { db, keyring }: BookingDeps,
  { told, transactionId, isOurs }: { told: Charge; transactionId: number; isOurs: boolean },
): Promise<boolean> {
  const { accountNumber, contradictsItself } = told;
  if (!contradictsItself && (accountNumber === undefined || !isOurs)) return true;
  const booked = await selectBooked(db, { transactionId });
  return booked.some((row) => {
    const { told: earlier } = readMessage(keyring, row);
    return (
      earlier.kind === 'CHARGE' &&
      earlier.accountNumber === accountNumber &&
      earlier.contradictsItself === contradictsItself
    );
  });
}
