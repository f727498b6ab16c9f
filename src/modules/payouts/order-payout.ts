import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { holdsNames, nameWords } from '#lib/text/name-match.ts';
import { findCustomer } from '#modules/customers';
import {
  asMinor,
  assertPosted,
  type Charge,
  chargeOn,
  countPosting,
  createPostingCall,
  findFirstResult,
  type Leg,
  type Minor,
  negated,
  type Poster,
  type Posting,
  type PostingResult,
  type Request,
  systemAccount,
} from '#modules/ledger';
import {
  type DailyLimits,
  findPayingWallet,
  limitOfTier,
  type PayingWallet,
  readAsPosted,
  transactionOf,
  transferReference,
  type WalletTransaction,
} from '#modules/wallets';
import type { BankProvider } from '../../providers/bank/port.ts';
import type { PayoutProvider } from '../../providers/payout/port.ts';
import { enquireAccount, getBankAccount, isNamedAfter } from './bank-accounts.ts';
import { type PayoutAccount, payoutAccountIndex, sealPayoutAccount } from './payout-account.ts';
import type { PayoutRow } from './store.ts';

/** The charges of a payout, and the daily limits. */
interface PayoutRules {
  fees: { payout: Charge; stampDuty: Charge };
  dailyLimits: DailyLimits;
}

export type OrderDeps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  metrics: Pick<Meter, 'add'>;
  poster: Poster;
  payoutOrders: PayoutOrders;
  bank: BankProvider;
  /** Undefined where no provider of payouts is configured. */
  payoutProvider: PayoutProvider | undefined;
} & PayoutRules;

interface Order {
  partnerId: string;
  amount: Minor;
  /** The caller's own, unique for ever among theirs. */
  reference: string;
  comment?: string | undefined;
}

/**
 * Pays a bank account out of a partner's wallet. A name enquiry comes first: the account must be in the name of the wallet's owner, or
 * in the name that the partner expects. Amount and charges are held; a worker sends the payout. The answer is Pending, also to a
 * repeated request.
 *
 * @param order accountNumber: ten digits; accountName: as the partner expects it
 * @throws DomainError PROVIDER_NOT_CONFIGURED, WALLET_NOT_FOUND, BANK_ACCOUNT_NOT_FOUND, ACCOUNT_NAME_MISMATCH,
 *   BANK_PROVIDER_UNAVAILABLE, REFERENCE_REUSED, AMOUNT_TOO_SMALL, CURRENCY_MISMATCH, and the ledger's refusals
 */
export async function payOutOfWallet(
  deps: OrderDeps,
  {
    walletReference,
    accountNumber,
    bankCode,
    accountName,
    ...order
  }: Order & { walletReference: string; accountNumber: string; bankCode: string; accountName?: string | undefined },
): Promise<WalletTransaction> {
  const { partnerId, amount, reference, comment } = order;
  const account = payoutAccountIndex(deps.keyring, { bankCode, accountNumber }).toString('hex');
  const asked: Request = {
    owner: partnerId,
    namer: 'PARTNER',
    reference,
    type: 'PAYOUT',
    amount,
    comment,
    request: { type: 'PAYOUT', wallet: walletReference, amount, account, accountName, comment },
  };
  const [earlier, found] = await Promise.all([
    answeredBefore(deps, partnerId, asked),
    settled(findPayingWallet(deps.db, deps.keyring, { partnerId, reference: walletReference })),
  ]);
  if (earlier !== undefined) return earlier;
  const wallet = found();
  const owner = await namesOf(deps, wallet);
  const named = await enquireAccount(deps, { accountNumber, bankCode, claimant: owner });
  const isExpected =
    accountName === undefined ? isNamedAfter(named.accountName, owner) : isNamed(named.accountName, accountName);
  if (!isExpected) {
    const expected =
      accountName === undefined ? 'the wallet’s owner: send the holder’s name as accountName' : 'accountName';
    throw new DomainError('ACCOUNT_NAME_MISMATCH', `accountNumber: the account is not in the name of ${expected}`);
  }
  return placeOrder(deps, { asked, wallet, account: { ...named, accountNumber, bankCode } });
}

/**
 * Pays the bank account that a customer linked, out of their wallet at a partner. It counts against their daily
 * limit. Otherwise as `payOutOfWallet`.
 *
 * @throws DomainError BANK_ACCOUNT_NOT_LINKED, LIMIT_EXCEEDED, and as `payOutOfWallet`
 */
export async function payOutForCustomer(
  deps: OrderDeps,
  { customerId, ...order }: Order & { customerId: string },
): Promise<WalletTransaction> {
  const { partnerId, amount, reference, comment } = order;
  const asked: Request = {
    owner: customerId,
    namer: 'CUSTOMER',
    reference: transferReference(customerId, reference),
    type: 'PAYOUT',
    amount,
    externalReference: reference,
    comment,
    request: { type: 'PAYOUT', partner: partnerId, amount, comment },
  };
  const [earlier, wallet, linked] = await Promise.all([
    answeredBefore(deps, partnerId, asked),
    settled(findPayingWallet(deps.db, deps.keyring, { partnerId, customerId })),
    settled(getBankAccount(deps, { partnerId, customerId })),
  ]);
  return earlier ?? placeOrder(deps, { asked, wallet: wallet(), account: linked(), isLimited: true });
}

/** The first answer of a repeated request, without a second name enquiry. @throws DomainError PROVIDER_NOT_CONFIGURED */
async function answeredBefore(
  { db, payoutProvider }: OrderDeps,
  partnerId: string,
  asked: Request,
): Promise<WalletTransaction | undefined> {
  const earlier = await findFirstResult(db, asked);
  if (earlier !== undefined) return readAsPosted(db, partnerId, assertPosted(earlier));
  if (payoutProvider !== undefined) return undefined;
  throw new DomainError('PROVIDER_NOT_CONFIGURED', 'this installation has no provider of payouts');
}

/** Awaits a promise; the returned function gives its value or throws its error. */
async function settled<Result>(result: Promise<Result>): Promise<() => Result> {
  try {
    const value = await result;
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

interface Ordered {
  asked: Request;
  wallet: PayingWallet;
  account: PayoutAccount;
  isLimited?: boolean;
}

async function placeOrder(
  deps: OrderDeps,
  { asked, wallet, account, isLimited = false }: Ordered,
): Promise<WalletTransaction> {
  const { db, keyring, clock, metrics, poster, payoutOrders, payoutProvider } = deps;
  if (payoutProvider === undefined) throw new Error('a payout was ordered without a provider');
  const { name: provider, leastAmount } = payoutProvider;
  const posting = payoutPosting(asked, { wallet, leastAmount, isLimited }, deps);
  const ordered = {
    providerReference: providerReferenceOf(asked),
    wallet: wallet.reference,
    partnerId: wallet.partnerId,
    amount: asked.amount,
  };
  const result = await payoutOrders.place(poster.json(posting), {
    provider,
    now: clock.now(),
    ...sealPayoutAccount(keyring, ordered, account),
  });
  countPosting(metrics, posting, result);
  const posted = assertPosted(result);
  if (posted.replayed) return readAsPosted(db, wallet.partnerId, posted);
  const { fee, stampDuty } = posting; // held, not yet taken
  return { ...transactionOf(posted, posting), fee: asMinor(fee + stampDuty) };
}

interface Paid {
  wallet: Pick<PayingWallet, 'account' | 'partnerId' | 'currency' | 'tier'>;
  /** The rail's minimum. */
  leastAmount: bigint;
  /** Whether it counts against the customer's daily limit. */
  isLimited: boolean;
}

/** The posting of a payout in naira: the wallet pays fee and stamp duty on top, and the whole amount arrives. */
function payoutPosting(
  asked: Request,
  { wallet, leastAmount, isLimited }: Paid,
  { fees, dailyLimits }: PayoutRules,
): Posting & { fee: Minor; stampDuty: Minor } {
  const { amount } = asked;
  const fee = chargeOn(amount, fees.payout);
  const stampDuty = chargeOn(amount, fees.stampDuty);
  const charges = asMinor(fee + stampDuty);
  const clearing = systemAccount('CLEARING_PAYOUT', 'NGN');
  const legs: Leg[] = [
    { account: wallet.account, amount: negated(asMinor(amount + charges)), fee: charges },
    { account: clearing, amount },
    { account: systemAccount('FEE', 'NGN'), amount: fee },
    { account: systemAccount('STAMP_DUTY', 'NGN'), amount: stampDuty },
  ];
  return {
    ...asked,
    partner: wallet.partnerId,
    fee,
    stampDuty,
    currency: 'NGN',
    source: wallet.account,
    destination: clearing,
    legs: legs.filter((leg) => leg.amount !== 0n),
    ...(isLimited ? { limitAccount: wallet.account, defaultDailyLimit: limitOfTier(wallet.tier, dailyLimits) } : {}),
    predecidedRefusal: amount < leastAmount ? 'AMOUNT_TOO_SMALL' : undefined,
  };
}

/**
 * Our reference at the provider: always the same for one order, even after books were restored to an earlier moment, so the
 * provider refuses to pay it twice.
 */
const providerReferenceOf = ({ owner, namer, reference }: Request): string =>
  `payout-${sha256(JSON.stringify([owner, namer, reference]))
    .toString('hex')
    .slice(0, 32)}`;

/** The names of a wallet's owner, and nothing else about them. */
async function namesOf({ db, keyring }: OrderDeps, { owner }: PayingWallet) {
  const person = typeof owner === 'string' ? await findCustomer(db, keyring, owner) : owner;
  if (person === undefined) throw new Error('a wallet belongs to a customer who does not exist');
  const { firstName, otherName, lastName } = person;
  return { firstName, otherName, lastName };
}

/** Whether an account's name holds every word of another: at least two, unless the account's has no more. */
function isNamed(accountName: string, expected: string): boolean {
  const [account, words] = [nameWords(accountName), nameWords(expected)];
  const isEnough = words.length >= Math.min(2, account.length);
  return (
    isEnough &&
    holdsNames(
      account,
      words.map((word) => [word]),
    )
  );
}

/** A payout as it is ordered. */
type NewPayout = Pick<
  PayoutRow,
  | 'partnerId'
  | 'wallet'
  | 'provider'
  | 'amount'
  | 'providerReference'
  | 'bankCode'
  | 'bankName'
  | 'accountNumberSealed'
  | 'accountNameSealed'
  | 'accountIndex'
> & { now: Date };

/** Places orders of payouts. Concurrent orders share a database transaction; no partner waits for another's wallets. */
export interface PayoutOrders {
  /**
   * Holds the money of a payout and stores the payout, due now: both or neither, in one round trip.
   *
   * @param posting from `Poster.json`
   * @throws DomainError BUSY when too many are queued
   */
  place(posting: string, order: NewPayout): Promise<PostingResult>;
}

export function createPayoutOrders(pool: Pool, metrics: Meter = noMeter): PayoutOrders {
  const call = createPostingCall(pool, { name: 'payouts.order_all', poolShare: 0.5, metrics });
  return {
    async place(posting, { accountNumberSealed, accountNameSealed, accountIndex, amount, ...more }) {
      const sealed = {
        accountNumberSealed: accountNumberSealed.toString('base64'),
        accountNameSealed: accountNameSealed.toString('base64'),
        accountIndex: accountIndex.toString('base64'),
      };
      const member = JSON.stringify({ ...more, ...sealed, amount: String(amount) });
      return call(more.partnerId, `${member.slice(0, -1)},"posting":${posting}}`);
    },
  };
}
