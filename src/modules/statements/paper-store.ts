import { eq } from '#drizzle';
import { type Given, preparedOne } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { paper } from './tables.ts';

/** A statement that was given out, with its wallet, by the digest of its code. */
export const selectPaper = preparedOne('statements.paper', (db, given: Given<{ codeDigest: Buffer }>) =>
  db
    .select({ paper, nuban: partnerWallet.nuban, partnerId: partnerWallet.partnerId })
    .from(paper)
    .innerJoin(partnerWallet, eq(partnerWallet.id, paper.walletId))
    .where(eq(paper.codeDigest, given.codeDigest)),
);
