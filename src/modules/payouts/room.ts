import { count, desc, eq, inArray } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import {
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  type Invariant,
  type InvariantDeps,
  newestOf,
  type OfCustomer,
  type Retention,
  type Room,
  type SqlInvariant,
} from '#lib/room.ts';
import { partner } from '#modules/clients';
import { partnerWallet } from '#modules/wallets';
import { publishedOnce } from '#modules/webhooks';
import { sealedColumns as linkedAccountColumns, openAccount } from './bank-accounts.ts';
import { openPayoutAccount, sealedColumns as payoutColumns } from './payout-account.ts';
import { linkedAccount, payout } from './tables.ts';

/** A payout that its provider did not accept is sent again; the number of times is not kept. */
const SENT_MOST = 1_000;

/** What must be true of payouts at any moment. */
const payoutsInvariants = ({ isSample }: InvariantDeps): readonly Invariant[] => [
  {
    name: 'payouts_are_their_money',
    promise:
      'the money of an open payout is held, of a successful one taken, of a failed one released, and of a reversed one taken and returned',
    offenders: ({ moment }) => `
      select p.id, p.state, p.amount, t.id as transaction_id, t.status, t.amount as posted from payouts.payout p
        left join ledger.transaction t on t.id = p.transaction_id left join ledger.account a on a.id = t.source_id
        left join ledger.account d on d.id = t.destination_id
        where ${moment('p.updated_at')}
          and ((t.type, t.amount, t.currency, t.partner_id, a.kind, a.reference, d.kind, t.created_at)
              is distinct from ('PAYOUT', p.amount, 'NGN', p.partner_id, 'WALLET', p.wallet, 'CLEARING_PAYOUT', p.created_at)
            or t.status is distinct from case p.state when 'SUCCESSFUL' then 'Successful' when 'FAILED' then 'Voided'
              when 'REVERSED' then 'Reversed' else 'Held' end
            or t.void_reason is distinct from p.failure_reason)`,
  },
  {
    name: 'payouts_are_told_once',
    promise:
      'each endpoint that names a payout event gets it once, except for payout.sent, and no such event lacks its payout',
    offenders: publishedOnce(
      {
        prefix: 'payout.',
        changes: (around) => `
          select p.partner_id as owner_id, t.reference, x.event, x.at, case x.event when 'payout.sent' then ${SENT_MOST}
              else (x.at is not null)::int end as most
            from payouts.payout p join ledger.transaction t on t.id = p.transaction_id
            cross join lateral (values ('payout.sent', case when p.sent_at is distinct from p.ended_at then p.sent_at end),
              ('payout.successful', case when p.state in ('SUCCESSFUL', 'REVERSED') then p.ended_at end),
              ('payout.failed', case when p.state = 'FAILED' then p.ended_at end),
              ('payout.reversed', p.reversed_at)) x(event, at)
            where ${around('p.updated_at')}`,
      },
      isSample,
    ),
  },
  {
    name: 'reversals_of_rails_are_of_payouts',
    promise: 'every reversal without an operator belongs to a payout that its rail sent back',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.original_id from ledger.transaction t
        where t.type = 'REVERSAL' and t.namer <> 'OPERATOR' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from payouts.payout p where p.transaction_id = t.original_id and p.state = 'REVERSED'
                            and t.reference = p.provider_reference || '-reversed')
          and not exists (select from payouts.payout p where p.correction_id = t.original_id
                            and t.reference = p.provider_reference || '-correction-reversed')`,
  },
  {
    name: 'corrections_of_payouts_are_their_payout',
    promise: 'every correction belongs to one failed payout, of its amount, and is audited',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.amount, p.id as payout from ledger.transaction t
        left join payouts.payout p on p.correction_id = t.id left join ledger.transaction o on o.id = p.transaction_id
        left join ledger.account d on d.id = t.destination_id left join ledger.account a on a.id = t.source_id
        where t.type = 'PAYOUT_CORRECTION' and t.status <> 'Failed' and ${moment('t.created_at')}
          and ((t.amount, t.currency, t.reference, d.kind, t.fee)
              is distinct from (p.amount, 'NGN', p.provider_reference || '-corrected', 'CLEARING_PAYOUT', 0)
            or (t.source_id is distinct from o.source_id and a.kind is distinct from 'DIFFERENCE')
            or not exists (select from audit.entry x where x.target = p.id::text and x.action = 'payout.correct'))`,
  },
  {
    name: 'payout_postings_have_their_payout',
    promise: 'every posting of a payout that was not refused belongs to a payout',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.status, t.amount from ledger.transaction t
        where t.type = 'PAYOUT' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from payouts.payout p where p.transaction_id = t.id)`,
  },
];

/** The payouts of the customer's wallets. */
const exportPayoutsOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [items, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  const exported = items.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    ...openPayoutAccount(keyring, row),
    amount: toMajor(row.amount),
    state: row.state,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
    reversedAt: row.reversedAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};

const belongsTo = (db: Database, { customerId }: OfCustomer) =>
  inArray(
    payout.wallet,
    db
      .select({ reference: partnerWallet.reference })
      .from(partnerWallet)
      .where(eq(partnerWallet.customerId, customerId)),
  );

const newest = prepared('payouts.export', (db, given: OfCustomer) =>
  db.select().from(payout).where(belongsTo(db, given)).orderBy(desc(payout.id)).limit(EXPORTED_MAX),
);

const countAll = preparedOne('payouts.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(payout).where(belongsTo(db, given)),
);

const forward = preparedText<{ id: string }>(
  'payouts.bring-forward',
  `update payouts.payout set sent_at = sent_at - make_interval(secs => $2), due_at = due_at - make_interval(secs => $2)
    where partner_id = $1 and due_at is not null and state <> 'SENT' returning id`,
  { writes: true },
);

/**
 * For the sandbox: moves the times of a partner's open payouts back. Not of one that is being sent: it would seem long unknown to
 * the provider.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}

/** Payouts whose outcome is unknown. */
export const unknownPayouts = countOfWaiting(
  'payouts.unknown',
  `select coalesce(sent_at, created_at) as at from payouts.payout where state = 'UNKNOWN'`,
);

/** Payouts whose provider contradicts its earlier status. */
export const contradictedPayouts = countOfWaiting(
  'payouts.contradicted-count',
  'select created_at as at from payouts.payout where contradiction is not null',
);

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'payouts.payout',
    kept: 'for ever',
    why: 'the books: the payees of the money',
  },
  {
    table: 'bank_accounts.linked_account',
    kept: 'until another replaces it, or its customer is erased',
    why: 'payouts go there',
  },
];

/** What must be true of linked accounts at any moment. */
const bankAccountsInvariants: readonly SqlInvariant[] = [
  {
    name: 'linked_accounts_are_audited',
    promise: 'a customer’s payouts at a partner go to the account that they linked there last, by the audit log',
    offenders: () => `
      select l.customer_id, l.partner_id from bank_accounts.linked_account l
        where encode(l.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = l.customer_id::text and x.action = 'bank_account.link'
              and x.after ->> 'partnerId' = l.partner_id::text order by x.id desc limit 1)`,
  },
];

/** The bank accounts that the customer linked. */
const exportBankAccountsOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await linked(db, { customerId });
  return found.map(({ row, partner: at }) => ({ partner: at, ...openAccount(keyring, row) }));
};

const linked = prepared('bank-accounts.export', (db, given: OfCustomer) =>
  db
    .select({ row: linkedAccount, partner: { id: partner.id, name: partner.name } })
    .from(linkedAccount)
    .innerJoin(partner, eq(partner.id, linkedAccount.partnerId))
    .where(eq(linkedAccount.customerId, given.customerId)),
);

/** The bank accounts that the customer linked. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('bank-accounts.erase', (db, given: OfCustomer) =>
  db.delete(linkedAccount).where(eq(linkedAccount.customerId, given.customerId)),
);

export const room: Room = {
  retention,
  invariants: (deps) => [...payoutsInvariants(deps), ...bankAccountsInvariants],
  sealedColumns: [...payoutColumns, ...linkedAccountColumns],
  exports: { payouts: exportPayoutsOf, bankAccounts: exportBankAccountsOf },
  erase: eraseOf,
};

export interface PayoutsState {
  /** Payouts without an outcome. */
  open: { state: 'PENDING' | 'SENT' | 'UNKNOWN'; count: number }[];
  /** The age of the oldest UNKNOWN payout since it was sent; 0 without one. */
  oldestUnknownS: number;
}

const selectOpen = preparedText<{ state: 'PENDING' | 'SENT' | 'UNKNOWN'; count: number; oldest: number }>(
  'payouts.open-state',
  `select s.state, count(p.id)::int as count, coalesce(extract(epoch from now() - min(p.sent_at)), 0)::float8 as oldest
    from unnest(array['PENDING', 'SENT', 'UNKNOWN']) as s (state) left join payouts.payout p on p.state = s.state
    group by s.state`,
);

/** Open payouts, for metrics. */
export async function measurePayouts(db: Executor): Promise<PayoutsState> {
  const open = await selectOpen(db, []);
  const unknown = open.find(({ state }) => state === 'UNKNOWN');
  return {
    open: open.map(({ oldest: _oldest, ...one }) => one),
    oldestUnknownS: Math.max(0, unknown?.oldest ?? 0),
  };
}
