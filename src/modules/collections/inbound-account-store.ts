import { and, eq, isNotNull } from '#drizzle';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { partnerWallet, routedWallet, verified } from '#modules/wallets';
import { account } from './tables.ts';

export type AccountRow = typeof account.$inferSelect;

/** The account of a wallet at a provider. */
export const selectAccount = preparedOne(
  'inbound-accounts.of-wallet-at',
  (db, given: Given<{ wallet: string; provider: string }>) =>
    db
      .select()
      .from(account)
      .where(and(eq(account.wallet, given.wallet), eq(account.provider, given.provider))),
);

/** The account numbers of a wallet, the oldest first. */
export const selectAssigned = prepared('inbound-accounts.of-wallet', (db, given: Given<{ wallet: string }>) =>
  db
    .select()
    .from(account)
    .where(and(eq(account.wallet, given.wallet), isNotNull(account.assignedAt)))
    .orderBy(account.id),
);

/** The wallet of an account number, by the number's index. */
export const selectWalletOf = verified(
  preparedOne('inbound-accounts.wallet-of-number', (db, given: Given<{ accountIndex: Buffer }>) =>
    db
      .select({ row: account, wallet: routedWallet })
      .from(account)
      .innerJoin(partnerWallet, eq(partnerWallet.reference, account.wallet))
      .where(eq(account.accountIndex, given.accountIndex)),
  ),
);

/** Claims the right to ask a provider for a wallet's account: wallet, partner, provider, now, and until when. */
export const claimAccount = preparedText<{ id: string }>(
  'inbound-accounts.claim',
  `insert into inbound_accounts.account as a (wallet, partner_id, provider, created_at, leased_until) values ($1, $2, $3, $4, $5)
    on conflict (wallet, provider) do update set leased_until = excluded.leased_until
      where a.assigned_at is null and a.leased_until <= excluded.created_at
    returning a.id`,
  { writes: true },
);

/** Writes what a provider assigned, and audits that, unless something is there, or another wallet has that number: then it answers nothing. */
export const completeAccount = preparedText<{ id: string }>(
  'inbound-accounts.complete',
  'select id from inbound_accounts.assign($1, $2, $3, $4, $5, $6, $7, $8, $9) id where id is not null',
  { writes: true },
);

/** Lets others ask at once, after the provider gave no answer. */
export const releaseAccount = preparedText<{ id: string }>(
  'inbound-accounts.release',
  `update inbound_accounts.account set leased_until = $3 where wallet = $1 and provider = $2 and assigned_at is null returning id`,
  { writes: true },
);
