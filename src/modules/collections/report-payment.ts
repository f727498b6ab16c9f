import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { normalizedReference } from '#lib/text/parse.ts';
import { findPartner } from '#modules/clients';
import { ALL_PARTNERS, type Charge, findFloat, type Poster } from '#modules/ledger';
import { addToTerminal, findTerminal, lockSplit, paySplit } from '#modules/terminals';
import { type FoundWallet, findWallet, findWalletByNuban, type WalletTransaction } from '#modules/wallets';
import { publishStatus } from './payment-events.ts';
import type { Report } from './receive-money.ts';
import { CURRENCY, chargesOn, nameReport, receiveMoney } from './receive-money.ts';
import { type FoundInbound, selectCollectedBetween, selectInbound } from './store.ts';

type ReportedPayment =
  | (GatewayPayment & { type: 'PARTNER_GATEWAY' })
  | (TerminalPayment & { type: 'PARTNER_TERMINAL' })
  | (InboundPayment & { type: 'INBOUND' });

/**
 * Books a payment that a rail reports, by its type.
 *
 * @throws DomainError as reportGatewayPayment, reportTerminalPayment and reportInbound do
 */
export function reportPayment(
  deps: DepsOf<typeof reportGatewayPayment> & DepsOf<typeof reportTerminalPayment> & DepsOf<typeof reportInbound>,
  payment: ReportedPayment,
): ReturnType<typeof reportInbound> {
  if (payment.type === 'PARTNER_GATEWAY') return reportGatewayPayment(deps, payment);
  if (payment.type === 'PARTNER_TERMINAL') return reportTerminalPayment(deps, payment);
  return reportInbound(deps, payment);
}

export interface GatewayPayment extends Report {
  partnerId: string;
  /** The wallet of this partner that it goes to; absent: the float. */
  walletReference?: string | undefined;
}

/**
 * Books what a payment gateway received for a partner, and notifies the partner. The reference is unique among those that
 * rails give for this partner. Only an unknown partner or wallet is refused: money that the wallet cannot take goes to suspense, and
 * the partner is notified once it is credited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, WALLET_NOT_FOUND, REFERENCE_REUSED
 */
export async function reportGatewayPayment(
  {
    transact,
    poster,
    db,
    keyring,
    fees,
    publicUrl,
  }: {
    db: Database;
    keyring: Keyring;
    transact: Transact;
    poster: Poster;
    fees: { commission: Charge; gateway: Charge };
    publicUrl: string;
  },
  { partnerId, walletReference, ...report }: GatewayPayment,
): Promise<WalletTransaction> {
  const [partner, float] = [await findPartner(db, partnerId), await findFloat(db, keyring, partnerId, CURRENCY)];
  if (partner === undefined || float === undefined) {
    throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  }
  const wallet =
    walletReference === undefined
      ? undefined
      : await findWallet(db, keyring, { partnerId, reference: walletReference });
  return transact(async (tx) => {
    const arrival = {
      ...report,
      ...(await nameReport(tx, { partnerId, reference: report.reference })),
      type: 'PARTNER_GATEWAY',
      owner: partnerId,
      partner: partnerId,
      charges: chargesOn(report.amount, { fee: fees.gateway, commission: fees.commission }),
      destination: wallet?.account ?? float.id,
      target: { walletReference },
    } as const;
    const { transaction, isNew } = await receiveMoney(tx, poster, arrival, wallet?.account);
    if (isNew && transaction.status === 'Successful') {
      const recipient = wallet?.reference ?? partner.name;
      await publishStatus(tx, transaction, { partnerId, sender: report.sender, recipient, publicUrl });
    }
    return transaction;
  });
}

export interface TerminalPayment extends Report {
  /** Serial number. */
  terminal: string;
  /** Reference of the terminal's split of which it is an instalment. */
  split?: string | undefined;
}

type Deps = {
  db: Database;
  transact: Transact;
  poster: Poster;
  fees: { commission: Charge; terminal: Charge };
  clock: Clock;
  keyring: Keyring;
  publicUrl: string;
};

/**
 * Books what a customer paid at a terminal into the float of the terminal's partner, and notifies the partner. An instalment
 * is added to its split in the same database transaction. The reference is unique among those that rails give for this
 * partner. An instalment that its split refuses goes to suspense, and the split stays as it is.
 *
 * @throws DomainError TERMINAL_NOT_FOUND, SPLIT_NOT_FOUND, REFERENCE_REUSED
 */
export async function reportTerminalPayment(
  { transact, poster, db, fees, clock, keyring, publicUrl }: Deps,
  { terminal: serialNumber, split: splitReference, ...report }: TerminalPayment,
): Promise<WalletTransaction> {
  const terminal = await findTerminal(db, keyring, serialNumber);
  const { partnerId } = terminal;
  const [partner, float] = [await findPartner(db, partnerId), await findFloat(db, keyring, partnerId, CURRENCY)];
  if (partner === undefined || float === undefined) throw new Error(`terminal ${serialNumber} has no partner's float`);
  const { amount, sender } = report;
  const now = clock.now();

  return transact(async (tx) => {
    const named = await nameReport(tx, { partnerId, reference: report.reference });
    const wanted = splitReference && { terminalId: terminal.id, reference: splitReference, amount };
    const split = wanted ? await lockSplit(tx, keyring, wanted, now) : undefined;
    const charges = chargesOn(amount, { fee: fees.terminal, commission: fees.commission });
    const wouldBeLost = split?.refusal !== undefined && charges.net === 0n; // charges that take all leave nothing for suspense
    const { transaction, isNew } = await receiveMoney(tx, poster, {
      ...report,
      reference: named.reference,
      externalReference: named.externalReference ?? splitReference,
      type: 'PARTNER_TERMINAL',
      owner: partnerId,
      partner: partnerId,
      charges: wouldBeLost ? chargesOn(amount, {}) : charges,
      destination: float.id,
      terminal: terminal.id,
      split: split?.id,
      pendingReason: split?.refusal,
      target: { terminal: serialNumber, split: splitReference },
    });
    if (isNew && split !== undefined && split.refusal === undefined) await paySplit(tx, split, amount, now);
    if (isNew && transaction.status === 'Successful') {
      const balance = await addToTerminal(tx, terminal.id, transaction.net);
      await publishStatus(tx, transaction, {
        partnerId,
        sender,
        recipient: terminal.merchant ?? partner.name,
        terminal: { ...terminal, balance },
        publicUrl,
      });
    }
    return transaction;
  });
}

export interface InboundPayment extends Report {
  /** The account number it was sent to. */
  nuban: string;
}

/**
 * Credits the wallet of an account number with a bank transfer, less stamp duty. `reference` is the rail's own; ours is derived
 * from it, so that a transfer is booked once. Money that the wallet cannot take goes to suspense.
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

/** A payment to an account number that a provider assigned. */
export interface Collection extends Omit<Report, 'actor'> {
  /** The operator who named the wallet; absent: the provider did. */
  actor?: string | undefined;
  wallet: FoundWallet;
  /** The provider that collected it. */
  provider: string;
}

/**
 * Credits a wallet with a provider's collection, as `reportInbound` does. The same reference from another reporter is the same
 * transfer.
 *
 * @param also runs in the same transaction
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

/** A booked transfer by the rail's reference, whatever its reporter. */
export const findInbound = (db: Executor, theirs: string): Promise<FoundInbound | undefined> =>
  selectInbound(db, { reference: inboundReference(theirs) });

/** The providers' collections from one moment until before another. */
export async function findCollectedBetween(
  db: Executor,
  { from, until }: { from: Date; until: Date },
): Promise<{ reference: string; amount: bigint }[]> {
  const found = await selectCollectedBetween(db, { from, until });
  return found.map(({ reference, amount }) => ({ reference: reference ?? '', amount }));
}

/** Our reference of a bank transfer: the same for every spelling of the rail's reference. */
export function inboundReference(theirs: string): string {
  const name = normalizedReference(theirs) || theirs;
  return `INB-${sha256(name).toString('hex').slice(0, 32)}`;
}
