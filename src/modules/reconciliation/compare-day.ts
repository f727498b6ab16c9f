import type { Logger } from 'pino';
import { type Clock, withTimeout } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { recordChange } from '#modules/audit';
import { findCollectedBetween, findInbound, receiveAndBook } from '#modules/collections';
import { businessDay, ownAccounts, startOfDay, systemAccount } from '#modules/ledger';
import { findCorrected, findOldestUnknown, findSentBetween, findSentPayout } from '#modules/payouts';
import { type ListedMovement, type Rail, RailDown } from '../../providers/rails/port.ts';
import {
  type ComparisonFilter,
  type ComparisonRow,
  insertComparison,
  selectLastDay,
  selectLatest,
  selectMatching,
  selectUncompared,
} from './rail-store.ts';
import type { RailDifference } from './tables.ts';

const DAY_MS = 86_400_000;

const kinds = ['TRANSFER', 'CHARGE'] as const;

type CompareDayDeps = DepsOf<typeof receiveAndBook> & { clock: Clock; rails: readonly Rail[] };

interface DayToCompare {
  provider: string;
  day: string;
  actor: string;
  reason?: string | undefined;
  closing?: AbortSignal | undefined;
}

type Readable = Exclude<ListedMovement, { outcome: 'UNREADABLE' }>;

/** A movement that we have. */
interface Ours {
  reference: string;
  amount: bigint;
}

/**
 * Compares a provider's list of a day in Africa/Lagos with ours. What we lack is booked through the inbox; what it lacks is asked
 * about, for it may stand in another day there. Audited.
 *
 * @param day YYYY-MM-DD
 * @param closing once it is aborted, nothing more is asked or booked, and no comparison recorded: its reason is thrown
 * @throws DomainError RAIL_NOT_FOUND, INVALID_PARAMETER for a day that has not begun, RAIL_PROVIDER_UNAVAILABLE
 */
export async function compareDay(
  deps: CompareDayDeps,
  { provider, day, actor, reason, closing }: DayToCompare,
): Promise<ComparisonRow> {
  const rail = deps.rails.find(({ name }) => name === provider);
  if (rail === undefined) throw new DomainError('RAIL_NOT_FOUND', 'this installation has no such provider');
  if (day > businessDay(deps.clock.now()))
    throw new DomainError('INVALID_PARAMETER', 'date: must not be in the future');
  try {
    const compared = await compare(deps, rail, day, closing);
    const row = await insertComparison(deps.db, { ...compared, provider, day, actor, comparedAt: deps.clock.now() });
    const after = { day, differences: row.differences.length };
    await deps.transact(async (tx) =>
      recordChange(tx, { actor, action: 'rail.compare', target: provider, after, reason }),
    );
    return row;
  } catch (cause) {
    if (!(cause instanceof RailDown)) throw cause;
    const message = 'the provider gave no usable answer: send the same request again';
    throw new DomainError('RAIL_PROVIDER_UNAVAILABLE', message, { cause });
  }
}

/** A comparison, and the references of what operators have corrected since. */
export interface ComparisonView extends ComparisonRow {
  corrected: ReadonlySet<string>;
}

/** The last comparison of a provider's day, and what of it was corrected since. @throws DomainError COMPARISON_NOT_FOUND */
export async function getComparison(
  { db }: Pick<CompareDayDeps, 'db'>,
  which: { provider: string; day: string },
): Promise<ComparisonView> {
  const row = await selectLatest(db, which);
  if (row === undefined) throw new DomainError('COMPARISON_NOT_FOUND', 'this day was not compared with that provider');
  const otherwise = row.differences.filter(({ what }) => what === 'PAYOUT_ENDED_OTHERWISE' || what === 'PAYEE_DIFFERS');
  return {
    ...row,
    corrected: await findCorrected(
      db,
      otherwise.map(({ reference }) => reference),
    ),
  };
}

async function compare(deps: CompareDayDeps, rail: Rail, day: string, closing: AbortSignal | undefined) {
  const from = startOfDay(day);
  const span = { from, until: new Date(from.getTime() + DAY_MS) };
  const found = { theirCount: 0, theirAmount: 0n, ourCount: 0, ourAmount: 0n, differences: [] as RailDifference[] };
  for (const kind of kinds) {
    const theirs = await rail.list(kind, span);
    if (theirs === undefined) continue;
    // Before anything is booked of what we lack.
    const ours =
      kind === 'TRANSFER' ? await findSentBetween(deps.db, rail.name, span) : await findCollectedBetween(deps.db, span);
    for (const one of theirs) {
      closing?.throwIfAborted();
      found.differences.push(...(await differenceOf(deps, rail, one)));
    }
    const listed = new Set(theirs.map(({ reference }) => reference));
    for (const one of ours.filter(({ reference }) => !listed.has(reference))) {
      closing?.throwIfAborted();
      found.differences.push(...(await asked(deps, rail, kind, one)));
    }
    found.theirCount += theirs.length;
    found.theirAmount += sum(theirs.filter(isNaira));
    found.ourCount += ours.length;
    found.ourAmount += sum(ours);
  }
  return found;
}

const isNaira = (one: ListedMovement): one is Readable => one.outcome !== 'UNREADABLE' && one.currency === 'NGN';

const sum = (all: readonly { amount: bigint }[]): bigint => all.reduce((total, { amount }) => total + amount, 0n);

/** Differences of a movement that the provider has. A movement that we lack is booked like a provider's message. */
async function differenceOf(deps: CompareDayDeps, rail: Rail, theirs: ListedMovement): Promise<RailDifference[]> {
  if (theirs.outcome === 'UNREADABLE') return unreadable(deps, rail, theirs);
  const { kind, reference, amount } = theirs;
  const ours = await have(deps, rail, theirs);
  if (ours === 'SAME') return [];
  // They have it as paid, and we gave it back: nothing that could be booked, and what most needs to be seen.
  if (ours === 'REVERSED') return [{ kind, reference, what: 'PAYOUT_ENDED_OTHERWISE', theirs: String(amount) }];
  const outcome = await receiveAndBook(deps, { provider: rail.name, origin: 'COMPARISON', body: theirs.message });
  if (outcome.state === 'IGNORED') return [];
  const what = outcome.state === 'BOOKED' ? 'WE_LACKED' : outcome.difference;
  return [{ kind, reference, what, ours: ours?.toString(), theirs: String(amount) }];
}

/** An unreadable movement is kept in the inbox too, and not booked. */
async function unreadable(
  deps: CompareDayDeps,
  rail: Rail,
  { kind, reference, message }: ListedMovement,
): Promise<RailDifference[]> {
  await receiveAndBook(deps, { provider: rail.name, origin: 'COMPARISON', body: message });
  const ours = await (kind === 'CHARGE' ? findInbound(deps.db, reference) : findSentPayout(deps.db, reference));
  return [{ kind, reference, what: 'UNREADABLE', ours: ours?.amount.toString() }];
}

/** Ours of a movement: its amount, that it is the same, or that it has come back; undefined where we have none. */
async function have(
  { db }: CompareDayDeps,
  rail: Rail,
  { kind, reference, amount, outcome }: Readable,
): Promise<bigint | 'SAME' | 'REVERSED' | undefined> {
  if (kind === 'CHARGE') {
    const ours = await findInbound(db, reference);
    const isSame = ours?.amount === amount && ours.sourceId === systemAccount('CLEARING_COLLECTION', 'NGN');
    return isSame ? 'SAME' : ours?.amount;
  }
  const ours = await findSentPayout(db, reference);
  const isGone = outcome === 'SUCCESSFUL' ? ['SUCCESSFUL'] : ['FAILED', 'REVERSED'];
  const isSame = ours?.provider === rail.name && ours.amount === amount && isGone.includes(ours.state);
  if (outcome === 'SUCCESSFUL' && ours?.state === 'REVERSED') return 'REVERSED';
  if (ours?.isCorrected === true && ours.amount === amount) return outcome === 'SUCCESSFUL' ? 'SAME' : amount;
  return isSame ? 'SAME' : ours?.amount;
}

/**
 * What differs of a movement of ours that is not in their list: nothing, where they have it on another day, or neither of us has ended
 * it. A payment that came in has ended.
 */
async function asked(deps: CompareDayDeps, rail: Rail, kind: ListedMovement['kind'], { reference, amount }: Ours) {
  const found = await rail.find(kind, reference);
  if (found !== undefined && found !== 'OPEN') return differenceOf(deps, rail, found);
  const sent = kind === 'TRANSFER' ? await findSentPayout(deps.db, reference) : undefined;
  if (found === 'OPEN' && sent !== undefined && !hasEnded(sent.state)) return [];
  if (found === undefined && sent !== undefined && isOnItsWay(deps, sent)) return [];
  return [{ kind, reference, what: 'THEY_LACK', ours: String(amount) }];
}

const hasEnded = (state: string): boolean => ['SUCCESSFUL', 'FAILED', 'REVERSED'].includes(state);

/** Whether a payout unknown to its provider may still reach it, or counts as never sent by now. */
function isOnItsWay(
  { clock, payouts }: CompareDayDeps,
  { state, sentAt, isCorrected }: NonNullable<Awaited<ReturnType<typeof findSentPayout>>>,
): boolean {
  if (state === 'FAILED') return !isCorrected;
  if (state !== 'SENT' && state !== 'UNKNOWN') return state === 'PENDING';
  return sentAt !== null && clock.now().getTime() - sentAt.getTime() < payouts.notFoundAfterMs;
}

const HOUR_MS = 3_600_000;

/** So far back a missed day is still compared: what is older is asked for by hand. */
const DAYS_MAX = 31;

type RunDueComparisonsDeps = DepsOf<typeof compareDay> & { log: Logger };

/**
 * Compares with each provider what was not compared since it ended: yesterday in Africa/Lagos, once it is over for an hour, and
 * the days that were missed before it, the oldest first. A provider that gives no usable answer keeps no other one waiting.
 *
 * @param closing a day that is under way when it is aborted is given up, and compared by the next run
 */
export async function runDueComparisons(deps: RunDueComparisonsDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock, rails, log } = deps;
  const last = businessDay(new Date(clock.now().getTime() - DAY_MS - HOUR_MS));
  for (const { name: provider } of rails) {
    try {
      for (const day of await selectUncompared(db, { provider, day: last, max: DAYS_MAX })) {
        if (closing?.aborted === true) return;
        await compareOne(deps, { provider, day, closing });
      }
    } catch (err) {
      if (closing?.aborted === true) return;
      log.error(
        { event: 'rail.comparison_failed', err, provider },
        'a provider’s days could not be compared with ours; the next run retries',
      );
    }
  }
}

async function compareOne(
  deps: RunDueComparisonsDeps,
  { closing, ...of }: { provider: string; day: string; closing: AbortSignal | undefined },
): Promise<void> {
  const { differences } = await compareDay(deps, { ...of, actor: 'nightly', closing });
  if (differences.length === 0) return;
  deps.log.error(
    { event: 'rail.day_differs', ...of, differences: differences.length },
    'a provider’s day differs from ours',
  );
}

/** Comparisons of a provider's lists with ours, the last one first. */
export async function listComparisons(
  { db }: { db: Executor },
  { limit, offset, cursor, isUncounted, ...filter }: ComparisonFilter & PageRequest<string>,
): Promise<Listed<ComparisonRow, string>> {
  return selectMatching(db, filter, { limit, offset, cursor, isUncounted });
}

/** The longest that a request waits for a provider. */
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
  if (rails.length === 0) return [];
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
        log.warn({ event: 'rail.balance_unavailable', err, provider }, 'the provider did not answer its balance'),
      ),
  ]);
  const accountKinds: readonly string[] = carries.map((kind) => clearingOf[kind]);
  return {
    provider,
    balance: said ?? undefined,
    answers: balance && typeof said === 'bigint',
    accounts: all
      .filter(({ account, currency }) => currency === 'NGN' && accountKinds.includes(account))
      .map(({ account, balance: stands }) => ({ account, balance: stands })),
    oldestUnknownPayout,
    lastComparison,
  };
}
