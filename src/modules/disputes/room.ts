import { asc, count, desc, eq, inArray, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { Invariant, InvariantDeps, Room } from '#lib/room.ts';
import { DAY_MS, EXPORTED_MAX, type ExportOf, empties, newestOf, type OfCustomer, type Retention } from '#lib/room.ts';
import { partnerWallet } from '#modules/wallets';
import { publishedOnce } from '#modules/webhooks';
import { openEvidence, sealedColumns } from './evidence.ts';
import { dispute, evidence } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'disputes.dispute',
    kept: 'for ever',
    why: 'the books: it may have moved money',
  },
  {
    table: 'disputes.evidence',
    kept: 'for ever; the text, six years after the decision',
    why: 'so long it can be taken to court (Limitation Law of Lagos State, section 8)',
    forget: {
      said: empties(
        {
          table: 'disputes.evidence',
          by: 'created_at',
          afterMs: 6 * 366 * DAY_MS,
          where: `t.said_sealed is not null and exists (select from disputes.dispute d where d.id = t.dispute_id and d.decided_at < $1)`,
        },
        ['said_sealed'],
      ),
    },
  },
];

/** What must be true of disputes at any moment. */
const invariants = ({ isSample }: InvariantDeps): readonly Invariant[] => [
  {
    name: 'disputes_have_their_lien',
    promise:
      'a lien of the amount is on the wallet that received the money exactly while a dispute is undecided, and every lien of a dispute has one',
    offenders: () => `
      select d.id, d.state, d.amount, l.id as lien_id, l.amount as kept, l.lifted_at from disputes.dispute d
        full join (select * from ledger.lien where held_for = 'DISPUTE') l on l.id = d.lien_id
        left join wallets.partner_wallet w on w.account_id = l.account_id
        where (d.account_id, d.wallet, d.partner_id, d.amount, d.state in ('OPEN', 'EXPIRED'))
          is distinct from (l.account_id, w.reference, w.partner_id, l.amount, l.lifted_at is null)`,
  },
  {
    name: 'disputes_are_told_once',
    promise:
      'each endpoint that names a dispute event gets exactly one for each change, and no such event lacks its dispute',
    offenders: publishedOnce(
      {
        prefix: 'dispute.',
        changes: (around) => `
          select d.partner_id as owner_id, d.id::text as reference, x.event, x.at, (x.at is not null)::int as most
            from disputes.dispute d
            cross join lateral (values ('dispute.opened', d.created_at), ('dispute.expired', d.expired_at),
              ('dispute.decided', d.decided_at)) x(event, at)
            where ${around('greatest(d.created_at, d.expired_at, d.decided_at)')}`,
      },
      isSample,
    ),
  },
  {
    name: 'lost_disputes_are_refunded',
    promise: 'a lost dispute refunded its amount, less other refunds of the transaction since',
    offenders: () => `
      select d.id, d.state, d.amount, r.id as refund_id, r.status, r.amount as refunded from disputes.dispute d
        join ledger.transaction t on t.id = d.transaction_id
        left join ledger.transaction r on r.id = d.refund_id
        where d.state = 'LOST' and (
          r.status = 'Failed' or r.amount > d.amount
          or (r.type, r.currency, r.original_id, r.namer, r.reference)
            is distinct from ('PARTNER_REFUND', d.currency, d.transaction_id, 'OPERATOR', 'DSP-' || d.id) and r.id is not null
          or coalesce(r.amount, 0) < d.amount and d.refunded_before + d.amount > coalesce(r.amount, 0) + (
            select coalesce(sum(o.amount), 0) from ledger.transaction o
             where o.original_id = t.id and o.type in ('PARTNER_REFUND', 'REVERSAL') and o.status <> 'Failed'
               and o.reference <> 'DSP-' || d.id))`,
  },
  {
    name: 'disputes_are_audited',
    promise: 'the state of a dispute is that of its last audited change',
    offenders: () => `
      select d.id, d.state, x.state as audited from disputes.dispute d
        left join lateral (select coalesce(e.after ->> 'state', 'OPEN') as state from audit.entry e
                             where e.target = d.id::text and e.action in ('dispute.open', 'dispute.decide', 'dispute.expire')
                             order by e.id desc limit 1) x on true
        where d.state is distinct from x.state`,
  },
];

/** The disputes about the customer's wallets, with their evidence. */
const exportOf: ExportOf = async ({ db, keyring, securityLog }, customerId) => {
  const [items, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  const said = await evidenceOf(db, { disputes: items.map(({ id }) => id) });
  const exported = items.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    amount: toMajor(row.amount),
    state: row.state,
    reason: row.reason,
    evidence: said
      .filter(({ disputeId }) => disputeId === row.id)
      .map((piece) => ({ by: piece.by, ...openEvidence({ keyring, securityLog }, piece), createdAt: piece.createdAt })),
    decision: row.decision,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};

const belongsTo = (db: Database, { customerId }: OfCustomer) =>
  inArray(
    dispute.wallet,
    db
      .select({ reference: partnerWallet.reference })
      .from(partnerWallet)
      .where(eq(partnerWallet.customerId, customerId)),
  );

const newest = prepared('disputes.export', (db, given: OfCustomer) =>
  db.select().from(dispute).where(belongsTo(db, given)).orderBy(desc(dispute.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('disputes.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(dispute).where(belongsTo(db, given)),
);
const evidenceOf = prepared('disputes.export-evidence', (db, given: Given<{ disputes: readonly string[] }>) =>
  db.select().from(evidence).where(sql`${evidence.disputeId} = any(${given.disputes})`).orderBy(asc(evidence.number)),
);

const forward = preparedText<{ id: string }>(
  'disputes.bring-forward',
  `update disputes.dispute set respond_by = respond_by - make_interval(secs => $2)
    where partner_id = $1 and state = 'OPEN' returning id`,
  { writes: true },
);

/** For the sandbox: moves the deadlines of the open disputes about a partner's wallets back. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}

/** Counts open disputes, or those with a deadline until a moment. */
export const openDisputes = countOfWaiting(
  'disputes.open',
  `select created_at as at from disputes.dispute where state = 'OPEN' and respond_by <= coalesce($1::timestamptz, 'infinity')`,
);

export const room: Room = { retention, invariants, sealedColumns, exports: { disputes: exportOf } };
