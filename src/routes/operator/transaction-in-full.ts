import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { type FoundTransaction, findByReference, findReports, type ReportedBy, toFound } from '#modules/collections';
import { type DisputeView, listDisputes } from '#modules/disputes';
import {
  type HoldRow,
  type NamedEntry,
  partsOf,
  type TransactionRow,
  type TransactionWithEntry,
} from '#modules/ledger';
import { findBookedAs, type TagTransaction } from '#modules/offers';
import { findPayoutOf, type PayoutView } from '#modules/payouts';
import { type DeliveredEvent, type EventQuery, findEvents, findEventsAbout } from '#modules/webhooks';

/** Which transaction is meant. */
export interface NamedTransaction {
  reference: string;
  /** Our id, where several have this reference. */
  id?: number | undefined;
  /** For whom the reference was given. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
}

/** A transaction with everything that belongs to it. */
export interface TransactionInFull {
  transaction: FoundTransaction;
  entries: NamedEntry[];
  /** What it refunds or reverses. */
  original: FoundTransaction | undefined;
  /** What refunds or reverses it, or was refused to, the newest first. */
  following: FoundTransaction[];
  hold: HoldRow | undefined;
  /** What a rail reported of it: who paid, and at which terminal for which split. */
  report: ReportedBy | undefined;
  payout: PayoutView | undefined;
  /** What two applications agreed on that it settles. */
  offer: TagTransaction | undefined;
  /** Those about it, newest first. */
  disputes: DisputeView[];
  /** What its partners and applications were told of it, in the order in which it was written. */
  events: DeliveredEvent[];
}

/** Events carry the time at which the transaction began that wrote them, and movements one that is read after the locks. */
const BOOKING_MAX_MS = 60_000;

const DISPUTES_MAX = 20;

/**
 * A transaction with its entries, its causes and results, and its events.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND; INVALID_PARAMETER when several have this reference
 */
export async function readTransaction(
  { db, keyring, clock, securityLog }: { db: Executor; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  named: NamedTransaction,
): Promise<TransactionInFull> {
  const found = await theOneMeant(db, named);
  const { transaction } = found;
  const [parts, reports, payout, offer, disputes] = await Promise.all([
    partsOf(db, transaction),
    findReports(db, [transaction.id]),
    transaction.type === 'PAYOUT' ? findPayoutOf(db, { keyring, securityLog }, transaction.id) : undefined,
    transaction.type === 'SWITCH' ? findBookedAs({ db, clock }, transaction.reference) : undefined,
    listDisputes(
      { db, keyring, securityLog },
      { transactionId: transaction.id, limit: DISPUTES_MAX, offset: 0, isUncounted: true },
    ),
  ]);
  const told = [...parts.entries.flatMap(toldOfEntry), ...toldOfReport(transaction)];
  const [ofMovements, ofOffer] = await Promise.all([
    findEvents(db, told),
    offer === undefined ? [] : toldOfOffer(db, offer),
  ]);
  return {
    transaction: toFound(found),
    entries: parts.entries,
    original: parts.original && withoutEntry(parts.original),
    following: parts.following.map(withoutEntry),
    hold: parts.hold,
    report: reports.get(transaction.id),
    payout,
    offer,
    disputes: disputes.items,
    events: [...ofMovements, ...ofOffer],
  };
}

const withoutEntry = (transaction: TransactionRow): FoundTransaction => toFound({ transaction, entry: null });

const toldOfEntry = ({ entry, account }: NamedEntry): EventQuery[] =>
  account.kind === 'WALLET' && account.partnerId !== null && entry.version !== null
    ? [
        {
          ownerId: account.partnerId,
          reference: account.reference,
          sequence: entry.version,
          since: before(entry.createdAt),
          until: after(entry.createdAt),
        },
      ]
    : [];

const toldOfReport = ({ type, partnerId, reference, completedAt }: TransactionRow): EventQuery[] =>
  partnerId !== null && completedAt !== null && (type === 'PARTNER_GATEWAY' || type === 'PARTNER_TERMINAL')
    ? [{ ownerId: partnerId, reference, since: before(completedAt), until: after(completedAt) }]
    : [];

const before = (moment: Date): Date => new Date(moment.getTime() - BOOKING_MAX_MS);

/** PostgreSQL keeps microseconds: a `Date` is the beginning of its millisecond. */
const after = (moment: Date): Date => new Date(moment.getTime() + 1);

const toldOfOffer = async (
  db: Executor,
  { id, senderAppId, receiverAppId }: TagTransaction,
): Promise<DeliveredEvent[]> => findEventsAbout(db, { ownerIds: [senderAppId, receiverAppId], subjectId: id });

async function theOneMeant(db: Executor, { reference, id, ...owner }: NamedTransaction): Promise<TransactionWithEntry> {
  const named = await findByReference(db, reference, owner);
  const [one, ...others] = id === undefined ? named : named.filter(({ transaction }) => transaction.id === id);
  if (one === undefined) throw new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');
  if (others.length === 0) return one;
  const ids = [one, ...others].map(({ transaction }) => transaction.id).join(', ');
  throw new DomainError('INVALID_PARAMETER', `id: several transactions have this reference: name one of ${ids}`);
}
