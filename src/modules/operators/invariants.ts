import type { SqlInvariant } from '#lib/invariant.ts';

/** What must be true of operators at any moment. */
export const invariants: readonly SqlInvariant[] = [
  {
    name: 'operators_are_audited',
    promise: 'every operator was made by an audited change, and has the role and the state of the last one',
    offenders: () => `
      select o.id as operator_id, o.role, a.role as audited_role, o.status, a.status as audited_status
        from operators.operator o left join lateral (
          select
            (array_agg(e.after ->> 'role' order by e.id desc)
              filter (where e.action in ('operator.create', 'operator.role')))[1] as role,
            (array_agg(case e.action when 'operator.disable' then 'DISABLED' else 'ACTIVE' end order by e.id desc)
              filter (where e.action in ('operator.create', 'operator.enable', 'operator.disable')))[1] as status
            from audit.entry e where e.target = o.id::text) a on true
        where (o.role, o.status) is distinct from (a.role, a.status)`,
  },
];
