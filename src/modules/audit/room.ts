import type { Invariant, Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'audit.entry',
    kept: 'for ever',
    why: 'evidence, and sealed',
  },
];

/** What must be true of the audit log at any moment. What it says, the rooms hold against their own rows. */
const invariants: readonly Invariant[] = [
  {
    name: 'audit_triggers_are_on',
    promise: 'the triggers that refuse the change of an audit entry, and one of another time, are there and in force',
    offenders: () => `
      select w.relation, w.trigger, t.tgenabled as state from (values ('audit.entry', 'entry_immutable'), ('audit.entry', 'entry_of_now')) w(relation, trigger)
        left join pg_trigger t on t.tgrelid = to_regclass(w.relation) and t.tgname = w.trigger
        where t.tgenabled is null or t.tgenabled not in ('O', 'A')`,
  },
];

export const room: Room = { retention, invariants: () => invariants };
