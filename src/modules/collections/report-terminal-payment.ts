import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findPartner } from '#modules/clients';
import type { Charge, Poster } from '#modules/ledger';
import { findFloat } from '#modules/ledger';
import { addToTerminal, findTerminal, lockSplit, paySplit } from '#modules/terminals';
import type { WalletTransaction } from '#modules/wallets';
import { chargesOn } from './charges.ts';
import { nameReport } from './name-report.ts';
import { CURRENCY, receiveMoney } from './receive-money.ts';
import type { Report } from './report.ts';
import { publishStatus } from './status-event.ts';

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
 * partner. An instalment that its split does not take waits in suspense, and the split stays as it is.
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
    const wouldBeLost = split?.refusal !== undefined && charges.net === 0n; // charges that take all leave nothing to wait
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
