import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { type StatementData, statementData } from './statement-data.ts';
import { selectOfAnyone } from './store.ts';
import { type PartnerWalletView, walletNotFound, withPayTag } from './view-wallet.ts';

/** A statement's wallet, and what happened to it. */
export interface WalletStatement extends StatementData {
  partnerId: string;
  holder: PartnerWalletView;
}

/**
 * What happened to a wallet that is not revoked, whoever's it is, from one moment until just before another. Who asks was
 * let in before.
 *
 * @throws DomainError WALLET_NOT_FOUND
 */
export async function walletStatement(
  { db, keyring }: { db: Executor } & { keyring: Keyring },
  { reference, from, to }: { reference: string; from: Date; to: Date },
): Promise<WalletStatement> {
  const parts = await selectOfAnyone(db, reference);
  if (parts === undefined || parts.wallet.revokedAt !== null) throw walletNotFound();
  const holder = await withPayTag(db, keyring, parts);
  const data = await statementData(db, { account: parts.account, from, to });
  return { ...data, holder, partnerId: parts.wallet.partnerId };
}
