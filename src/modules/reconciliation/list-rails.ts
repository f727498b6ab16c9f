import type { Logger } from 'pino';
import { withTimeout } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { ownAccounts } from '#modules/ledger';
import { findOldestUnknown } from '#modules/payouts';
import type { ListedMovement, Rail } from '../../providers/rails/port.ts';
import { type ComparisonRow, selectLastDay } from './rail-store.ts';

/** Whoever looks does not wait longer for a provider. */
const BALANCE_TIMEOUT_MS = 3_000;

type OwnAccount = Awaited<ReturnType<typeof ownAccounts>>[number];

const clearingOf = { TRANSFER: 'CLEARING_PAYOUT', CHARGE: 'CLEARING_COLLECTION' } as const satisfies Record<
  ListedMovement['kind'],
  OwnAccount['account']
>;

/** A provider as the operator sees it. Amounts are minor units of naira. */
export interface RailView {
  provider: string;
  /** What we have there, as it says now. */
  balance: bigint | undefined;
  /** Whether it answered just now; undefined: it was not asked. */
  answers: boolean | undefined;
  /** Of what it carries. */
  accounts: Pick<OwnAccount, 'account' | 'balance'>[];
  oldestUnknownPayout: { id: string; sentAt: Date | undefined } | undefined;
  /** Of the latest day that was compared. */
  lastComparison: ComparisonRow | undefined;
}

/** The providers that move money for us. One that does not answer is shown all the same. */
export async function listRails({
  db,
  log,
  rails,
}: {
  db: Database;
  log: Logger;
  rails: readonly Rail[];
}): Promise<RailView[]> {
  if (rails.length === 0) return []; // nobody would wait for the accounts
  const accounts = ownAccounts(db);
  return Promise.all(rails.map(async (rail) => viewOf({ db, log }, rail, accounts)));
}

async function viewOf(
  { db, log }: { db: Database; log: Logger },
  rail: Rail,
  accounts: Promise<OwnAccount[]>,
): Promise<RailView> {
  const { name: provider, carries, balance } = rail;
  const [all, oldestUnknownPayout, lastComparison, said] = await Promise.all([
    accounts,
    findOldestUnknown(db, provider),
    selectLastDay(db, { provider }),
    balance &&
      withTimeout(balance(), BALANCE_TIMEOUT_MS).catch((err: unknown) =>
        log.warn({ err, provider }, 'a provider does not tell what we have there'),
      ),
  ]);
  const kinds: readonly string[] = carries.map((kind) => clearingOf[kind]);
  return {
    provider,
    balance: said ?? undefined,
    answers: balance && typeof said === 'bigint',
    accounts: all
      .filter(({ account, currency }) => currency === 'NGN' && kinds.includes(account))
      .map(({ account, balance: stands }) => ({ account, balance: stands })),
    oldestUnknownPayout,
    lastComparison,
  };
}
