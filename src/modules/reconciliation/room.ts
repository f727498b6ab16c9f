import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting, type HowMuchWaits } from '#lib/postgres/lists.ts';
import type { Invariant, Room } from '#lib/room.ts';
import { empties, type Retention, TWO_YEARS_MS } from '#lib/room.ts';
import type { ItemStatus } from './item-status.ts';
import { clearingAccount, rails } from './rails.ts';
import { sealedColumns } from './said.ts';

const CLEARING = `case i.rail ${rails.map((rail) => `when '${rail}' then ${clearingAccount(rail)}`).join(' ')} end`;

/** What must be true of reconciliation at any moment. */
const invariants: readonly Invariant[] = [
  {
    name: 'reconciled_postings_are_their_entries',
    promise:
      'what is kept of a posting is what its entry on the clearing account of the rail says, by day and by amount',
    offenders: ({ moment }) => `
      select i.id, i.transaction_id, i.our_day, i.our_amount, e.business_date, e.amount from reconciliation.item i
        left join ledger.entry e on e.transaction_id = i.transaction_id and e.account_id = ${CLEARING}
        where i.transaction_id is not null and ${moment('i.updated_at')}
          and (i.our_day, i.our_amount) is distinct from (e.business_date, -e.amount)`,
  },
  {
    name: 'imported_lines_are_their_file',
    promise: 'the lines of an imported file are all there, and sum to its credits and debits',
    offenders: ({ moment }) => `
      select m.id, m.lines, m.credits, m.debits, x.lines as stored, x.credits as stored_credits, x.debits as stored_debits
        from reconciliation.import m cross join lateral (
          select count(*) as lines, coalesce(sum(bank_amount) filter (where bank_amount > 0), 0) as credits,
            coalesce(sum(bank_amount) filter (where bank_amount < 0), 0) as debits
          from reconciliation.item i where i.import_id = m.id and i.line is not null) x
        where ${moment('m.created_at')} and (m.lines, m.credits, m.debits) <> (x.lines, x.credits, x.debits)`,
  },
  {
    name: 'adjustments_are_their_difference',
    promise: 'every adjustment is what the bank and our books said differently of one item, posted once',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.amount, i.id as item from ledger.transaction t
        left join reconciliation.item i on i.adjustment_id = t.id
        left join ledger.entry e on e.transaction_id = t.id and e.account_id = ${CLEARING}
        where t.type = 'ADJUSTMENT' and t.status <> 'Failed' and ${moment('t.created_at')}
          and (-e.amount) is distinct from (coalesce(i.bank_amount, 0) - coalesce(i.our_amount, 0))`,
  },
  {
    name: 'resolutions_of_items_are_audited',
    promise: 'what an operator did with an item stands in the audit log',
    offenders: ({ moment }) => `
      select i.id, i.action, i.status from reconciliation.item i
        where i.action is not null and ${moment('i.resolved_at')} and not exists (
          select from audit.entry x where x.target = i.id::text and x.action = 'reconciliation.resolve'
            and x.after ->> 'action' = i.action)`,
  },
];

const ofStatus = countOfWaiting(
  'reconciliation.of-status',
  'select created_at as at from reconciliation.item where rail = any($1::text[]) and status = $2',
);

/** Lines of banks and postings of ours by status, on every rail. */
export const itemsInStatus = async (db: Executor, status: ItemStatus): Promise<HowMuchWaits> =>
  ofStatus(db, [rails, status]);

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'reconciliation.import',
    kept: 'for ever',
    why: 'evidence of what was reconciled',
  },
  {
    table: 'reconciliation.item',
    kept: 'for ever; what the bank said, two years after it was imported, once it is closed',
    why: 'for an audit of the year and of that before',
    forget: {
      said: empties(
        {
          table: 'reconciliation.item',
          by: 'created_at',
          afterMs: TWO_YEARS_MS,
          where: `t.said_sealed is not null and t.status in ('MATCHED', 'REPEATED', 'RESOLVED')`,
        },
        ['said_sealed'],
      ),
    },
  },
  {
    table: 'rail_comparisons.comparison',
    kept: 'for ever',
    why: 'evidence that a day was compared: a row a day and provider',
  },
];

export const room: Room = {
  retention,
  invariants: () => invariants,
  sealedColumns,
};
