import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { findPartner } from '#modules/clients';
import { type AfterSettling, type Minor, settledAccountOf } from '#modules/ledger';
import { addToTerminal, findTerminalById, type Terminal } from '#modules/terminals';
import { findWalletOfAccount, toTransaction } from '#modules/wallets';
import { selectPayments } from './payment-store.ts';
import { publishStatus } from './status-event.ts';

type Reported = Awaited<ReturnType<typeof selectPayments>>[number];

/**
 * Publishes transaction.status of what waited in suspense and is credited now, and adds it to its terminal, as reports do at
 * once with what does not wait. It runs in the database transaction that credits it.
 */
export const publishSettled =
  (deps: { keyring: Keyring; publicUrl: string }): AfterSettling =>
  async (tx, transactionIds) => {
    for (const reported of await selectPayments(tx, transactionIds)) {
      const { type } = reported.transaction;
      if (type === 'PARTNER_GATEWAY' || type === 'PARTNER_TERMINAL') await publishOne(deps, tx, reported);
    }
  };

async function publishOne(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  tx: Tx,
  { transaction: stored, payment }: Reported,
): Promise<void> {
  const partner = stored.partnerId === null ? undefined : await findPartner(tx, stored.partnerId);
  if (partner === undefined) throw new Error(`payment ${stored.id} has no partner`);
  const creditedAt = stored.completedAt ?? stored.createdAt;
  const transaction = { ...toTransaction({ transaction: stored, entry: null }, partner.id), createdAt: creditedAt };
  const terminal =
    payment.terminalId === null ? undefined : await addTo(keyring, tx, payment.terminalId, transaction.net);
  const wallet = await findWalletOfAccount(tx, keyring, await settledAccountOf(tx, stored.id));
  await publishStatus(tx, transaction, {
    partnerId: partner.id,
    sender: {
      name: payment.senderName ?? undefined,
      paytag: payment.senderPaytag ?? undefined,
      type: payment.senderType ?? undefined,
    },
    recipient: wallet?.reference ?? terminal?.merchant ?? partner.name,
    terminal,
    publicUrl,
  });
}

async function addTo(keyring: Keyring, tx: Tx, terminalId: number, net: Minor): Promise<Terminal> {
  const balance = await addToTerminal(tx, terminalId, net);
  return { ...(await findTerminalById(tx, keyring, terminalId)), balance };
}
