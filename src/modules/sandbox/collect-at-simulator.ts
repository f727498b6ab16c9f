import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { receiveAndBook } from '#modules/inbox';
import type { Minor } from '#modules/ledger';
import { inboundReference } from '#modules/payments';
import { getTransaction, type WalletTransaction } from '#modules/wallets';

export type CollectDeps = DepsOf<typeof receiveAndBook>;

interface Collected {
  partnerId: string;
  accountNumber: string;
  amount: Minor;
  reference: string;
  sender: { name?: string | undefined };
  narration?: string | undefined;
}

/** Has the simulator of account numbers tell of a transfer, as a real one would, and books it at once. @throws DomainError REFERENCE_REUSED */
export async function collectAtSimulator(
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
