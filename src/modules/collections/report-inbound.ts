import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { normalizedReference } from '#lib/text/parse.ts';
import type { Charge, Poster } from '#modules/ledger';
import { ALL_PARTNERS } from '#modules/ledger';
import { type FoundWallet, findWalletByNuban, type WalletTransaction } from '#modules/wallets';
import { chargesOn } from './charges.ts';
import { type FoundInbound, selectCollectedBetween, selectInbound } from './payment-store.ts';
import { receiveMoney } from './receive-money.ts';
import type { Report } from './report.ts';

export interface InboundPayment extends Report {
  /** The account number it was sent to. */
  nuban: string;
}

/**
 * Credits the wallet of an account number with what arrived for it by bank transfer, less stamp duty. `reference` is the
 * rails' own; ours is derived from it, so that a transfer is booked once. What the wallet does not take waits in suspense.
 *
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED
 */
export async function reportInbound(
  {
    transact,
    poster,
    db,
    keyring,
    fees,
  }: { db: Database; keyring: Keyring; transact: Transact; poster: Poster; fees: { stampDuty: Charge } },
  { nuban, ...report }: InboundPayment,
): Promise<WalletTransaction> {
  const wallet = await findWalletByNuban(db, keyring, nuban);
  const arrival = {
    ...report,
    type: 'INBOUND',
    owner: ALL_PARTNERS,
    partner: wallet.partnerId,
    reference: inboundReference(report.reference),
    externalReference: report.reference,
    charges: chargesOn(report.amount, { stampDuty: fees.stampDuty }),
    destination: wallet.account,
    target: { wallet: wallet.reference },
  } as const;
  const { transaction } = await transact((tx) => receiveMoney(tx, poster, arrival, wallet.account));
  return transaction;
}

/** What arrived for an account number that a provider assigned. */
export interface Collection extends Omit<Report, 'actor'> {
  /** Who says whose it is, where it is not the provider. */
  actor?: string | undefined;
  wallet: FoundWallet;
  /** Who took it in. */
  provider: string;
}

/**
 * Credits a wallet with what a provider has taken in for it, as `reportInbound` does. A reference that was reported by whomever
 * is the same transfer.
 *
 * @param also what else is to be written with it, in the same transaction
 * @throws DomainError REFERENCE_REUSED
 */
export async function collectInbound(
  { transact, poster, fees }: { transact: Transact; poster: Poster; fees: { stampDuty: Charge } },
  { wallet, provider, actor = provider, ...report }: Collection,
  also: (tx: Tx, transaction: WalletTransaction) => Promise<void>,
): Promise<void> {
  const arrival = {
    ...report,
    actor,
    type: 'INBOUND',
    clearing: 'CLEARING_COLLECTION',
    owner: ALL_PARTNERS,
    partner: wallet.partnerId,
    reference: inboundReference(report.reference),
    externalReference: report.reference,
    charges: chargesOn(report.amount, { stampDuty: fees.stampDuty }),
    destination: wallet.account,
    target: { wallet: wallet.reference, provider },
    isKnownByTarget: true,
  } as const;
  await transact(async (tx) => {
    const { transaction } = await receiveMoney(tx, poster, arrival, wallet.account);
    await also(tx, transaction);
  });
}

/** What has been booked of a transfer by this reference of a rail, whoever reported it. */
export const findInbound = (db: Executor, theirs: string): Promise<FoundInbound | undefined> =>
  selectInbound(db, { reference: inboundReference(theirs) });

/** What providers collected from one moment until before another, by their references. */
export async function findCollectedBetween(
  db: Executor,
  { from, until }: { from: Date; until: Date },
): Promise<{ reference: string; amount: bigint }[]> {
  const found = await selectCollectedBetween(db, { from, until });
  return found.map(({ reference, amount }) => ({ reference: reference ?? '', amount }));
}

/** Our reference of a bank transfer: the same whenever the rails give the same reference, however they write it. */
export function inboundReference(theirs: string): string {
  const name = normalizedReference(theirs) || theirs;
  return `INB-${sha256(name).toString('hex').slice(0, 32)}`;
}
