import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { getSettlementWallet, type SettlementWallet } from '#modules/clients';
import {
  findWalletOfNumber,
  inboundReference,
  receiveAndBook,
  reportGatewayPayment,
  reportPayment,
  reportTerminalPayment,
} from '#modules/collections';
import { asMinor, type Currency, chargeOn, type Minor } from '#modules/ledger';
import { findTerminal, getSplit } from '#modules/terminals';
import { fundApplication, fundFloat, reverseTransaction } from '#modules/treasury';
import {
  creditWallet,
  findWalletByNuban,
  getPartnerWallet,
  getTransaction,
  type WalletTransaction,
} from '#modules/wallets';

type Deps = DepsOf<typeof creditWallet> & DepsOf<typeof fundFloat> & { keyring: Keyring };

/** Who acts, in the audit log. */
export const actorOf = (ownerId: string): string => `sandbox:${ownerId}`;

/**
 * Credits a wallet with test money that comes from nowhere: what the credit takes is put into the partner's float first.
 * Repeated, nothing moves again.
 *
 * @throws DomainError as `fundFloat` and `creditWallet` do
 */
export async function creditWithTestMoney(
  deps: Deps,
  movement: Parameters<typeof creditWallet>[1],
): Promise<WalletTransaction> {
  const { partnerId, walletReference, amount, reference } = movement;
  const { wallet, revokedAt } = await getPartnerWallet(deps.db, deps.keyring, {
    partnerId,
    reference: walletReference,
  });
  if (revokedAt !== null) return creditWallet(deps, movement); // refused, or answered as before
  await fundFloat(deps, {
    actor: actorOf(partnerId),
    partnerId,
    amount: asMinor(amount + chargeOn(amount, deps.fees.walletCredit)),
    currency: wallet.currency,
    reference: `sandbox-${reference}`,
    reason: 'test money',
  });
  return creditWallet(deps, movement);
}

/**
 * Credits an application's settlement wallet with test money that comes from nowhere. Repeated, nothing moves again.
 *
 * @returns the wallet as it is now
 * @throws DomainError REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function creditApplication(
  deps: DepsOf<typeof fundApplication>,
  { applicationId, ...movement }: { applicationId: string; amount: Minor; currency: Currency; reference: string },
): Promise<SettlementWallet> {
  await fundApplication(deps, {
    ...movement,
    applicationId,
    actor: actorOf(applicationId),
    reference: `sandbox-${movement.reference}`,
    reason: 'test money',
  });
  return getSettlementWallet(deps.db, deps.keyring, applicationId, movement.currency);
}

type CollectDeps = DepsOf<typeof receiveAndBook>;

interface Collected {
  partnerId: string;
  accountNumber: string;
  amount: Minor;
  reference: string;
  sender: { name?: string | undefined };
  narration?: string | undefined;
}

/** Reports a transfer as the simulator of account numbers, as a real provider would, and books it. @throws DomainError REFERENCE_REUSED */
async function collectAtSimulator(
  deps: CollectDeps,
  { partnerId, accountNumber, amount, reference, sender: { name }, narration }: Collected,
): Promise<WalletTransaction> {
  const said = { reference, amount: Number(amount), currency: 'NGN', accountNumber, sender: { name }, narration };
  const outcome = await receiveAndBook(deps, {
    provider: 'simulator',
    origin: 'HOOK',
    body: Buffer.from(JSON.stringify(said)),
  });
  if (outcome.state !== 'BOOKED') {
    throw new DomainError('REFERENCE_REUSED', 'reference: it has been used for something else');
  }
  return getTransaction(deps.db, { partnerId, reference: inboundReference(reference) });
}

/** What a report says, but for who passes it on. */
type Reported<Operation extends (deps: never, payment: never) => unknown> = Omit<Parameters<Operation>[1], 'actor'>;

type AtTerminal = Reported<typeof reportTerminalPayment>;

/** A payment at a gateway, booked as if the rails had reported it. @throws DomainError as `reportGatewayPayment` */
export async function payAtGateway(
  deps: DepsOf<typeof reportGatewayPayment>,
  payment: Reported<typeof reportGatewayPayment>,
): Promise<WalletTransaction> {
  return reportGatewayPayment(deps, { ...payment, actor: actorOf(payment.partnerId) });
}

/**
 * A payment at a terminal, of a split or of none, booked as if the rails had reported it.
 *
 * @throws DomainError as `reportTerminalPayment`; TERMINAL_NOT_FOUND also for another partner's terminal
 */
export async function payAtTerminal(
  deps: DepsOf<typeof reportTerminalPayment>,
  { partnerId, ...payment }: AtTerminal & { partnerId: string },
): Promise<WalletTransaction> {
  const terminal = await findTerminal(deps.db, deps.keyring, payment.terminal);
  if (terminal.partnerId !== partnerId) throw new DomainError('TERMINAL_NOT_FOUND', 'there is no such terminal');
  return reportTerminalPayment(deps, { ...payment, actor: actorOf(partnerId) });
}

/**
 * Pays an instalment of a split: without an amount, all that remains of it, or what it was for when nothing remains.
 *
 * @throws DomainError as `payAtTerminal`
 */
export async function payInstalment(
  deps: DepsOf<typeof reportTerminalPayment> & DepsOf<typeof getSplit>,
  {
    amount,
    ...payment
  }: Omit<AtTerminal, 'amount' | 'split'> & {
    partnerId: string;
    split: string;
    amount?: Minor | undefined;
  },
): Promise<WalletTransaction> {
  const { partnerId, terminal: serialNumber, split: reference } = payment;
  const split = await getSplit(deps, { terminal: { serialNumber, partnerId }, reference });
  const due = split.remaining === 0n ? split.amount : split.remaining;
  return payAtTerminal(deps, { ...payment, amount: amount ?? due });
}

/**
 * A bank transfer to the account number of one of the partner's wallets, booked as if the rails had reported it. Rails give
 * references that are unique among all; here they are among the partner's.
 *
 * @throws DomainError as `reportPayment`; WALLET_NOT_FOUND also for the wallet of another partner
 */
export async function receiveTransfer(
  deps: DepsOf<typeof reportPayment> & CollectDeps,
  {
    partnerId,
    nuban,
    reference,
    ...payment
  }: { partnerId: string; nuban: string } & Omit<AtTerminal, 'terminal' | 'split'>,
): Promise<WalletTransaction> {
  const ofPartner = sha256(partnerId).toString('hex').slice(0, 8);
  const assigned = await findWalletOfNumber(deps, { provider: 'simulator', accountNumber: nuban });
  if (assigned?.partnerId === partnerId) {
    const { amount, sender, comment } = payment;
    const collected = { accountNumber: nuban, amount, sender, narration: comment };
    return collectAtSimulator(deps, { ...collected, partnerId, reference: `sandbox-${ofPartner}-${reference}` });
  }
  const wallet = await findWalletByNuban(deps.db, deps.keyring, nuban);
  if (wallet.partnerId !== partnerId) throw new DomainError('WALLET_NOT_FOUND', 'there is no such wallet');
  return reportPayment(deps, {
    ...payment,
    type: 'INBOUND',
    nuban,
    reference: `sandbox-${ofPartner}-${reference}`,
    actor: actorOf(partnerId),
  });
}

/**
 * Fails a transaction of the partner's after the fact, as rails and operators do: all of it goes back, and it is Reversed.
 *
 * @returns the reversal
 * @throws DomainError as `reverseTransaction`
 */
export async function failTransaction(
  deps: DepsOf<typeof reverseTransaction>,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<WalletTransaction> {
  return reverseTransaction(deps, {
    actor: actorOf(partnerId),
    original: { reference, partnerId },
    reference: `sandbox-fail-${sha256(reference).toString('hex').slice(0, 32)}`,
    comment: 'failed in the sandbox',
    reason: 'failed in the sandbox',
  });
}
