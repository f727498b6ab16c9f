import { countOfWaiting } from '#lib/postgres/lists.ts';
import type { Room, SqlInvariant } from '#lib/room.ts';
import { DAY_MS, deletes, empties, type Retention } from '#lib/room.ts';
import { sealedColumns } from './approval.ts';
import { routingFacts } from './store.ts';

/** What must be true of operators at any moment. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'operators_are_audited',
    promise:
      'every operator was created by an audited change, and has the role, the status and the token of the last one',
    offenders: () => `
      select o.id as operator_id, o.role, a.role as audited_role, o.status, a.status as audited_status,
          o.token_expires_at, a.token_expires_at as audited_token_expires_at
        from operators.operator o left join lateral (
          select
            (array_agg(e.after ->> 'role' order by e.id desc)
              filter (where e.action in ('operator.create', 'operator.role')))[1] as role,
            (array_agg(case e.action when 'operator.disable' then 'DISABLED' else 'ACTIVE' end order by e.id desc)
              filter (where e.action in ('operator.create', 'operator.enable', 'operator.disable')))[1] as status,
            (array_agg(e.after ->> 'tokenExpiresAt' order by e.id desc)
              filter (where e.action in ('operator.create', 'operator.enable', 'operator.token.rotate')))[1]::timestamptz
              as token_expires_at
            from audit.entry e where e.target = o.id::text) a on true
        where (o.role, o.status, o.token_expires_at) is distinct from (a.role, a.status, a.token_expires_at)`,
  },
];

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'operators.operator',
    kept: 'for ever',
    why: 'the audit log names them',
  },
  {
    table: 'operators.session',
    kept: 'a day after it expired',
    why: 'a late request gets the answer that its session has ended',
    forget: { rows: deletes({ table: 'operators.session', by: 'expires_at', afterMs: DAY_MS }) },
  },
  {
    table: 'approvals.approval',
    kept: 'for ever; input and answer, 30 days after its end',
    why: 'evidence that two operators agreed to it',
    forget: {
      asked: empties(
        { table: 'approvals.approval', by: 'ended_at', afterMs: 30 * DAY_MS, where: 't.input_sealed is not null' },
        ['input_sealed', 'answer_sealed'],
      ),
    },
  },
];

/** Requests pending another operator's approval. */
export const waitingApprovals = countOfWaiting(
  'approvals.waiting',
  `select created_at as at from approvals.approval where status = 'PENDING'`,
);

export const room: Room = {
  retention,
  invariants: () => invariants,
  routingFacts,
  sealedColumns,
};
