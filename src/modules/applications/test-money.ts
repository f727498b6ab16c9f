import type { Tx } from '#lib/database.ts';
import { asMinor, findApplicationAccount, negated, post, systemAccount } from '#modules/ledger';

/** 1,000,000.00 test naira. */
const AMOUNT = asMinor(1_000_000_00n);

/** Fills the naira wallet of a new application in the sandbox, once, by a posting like any other. */
export async function giveTestMoney(tx: Tx, applicationId: string): Promise<void> {
  const wallet = await findApplicationAccount(tx, applicationId, 'NGN');
  if (wallet === undefined) throw new Error(`application ${applicationId} has no wallet`);
  const clearing = systemAccount('CLEARING', 'NGN');
  await post(tx, {
    owner: applicationId,
    reference: 'test-money',
    type: 'APPLICATION_FUNDING',
    amount: AMOUNT,
    currency: 'NGN',
    source: clearing,
    destination: wallet.id,
    legs: [
      { account: clearing, amount: negated(AMOUNT) },
      { account: wallet.id, amount: AMOUNT },
    ],
  });
}
