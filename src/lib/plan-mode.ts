/**
 * What PostgreSQL plans a prepared statement for. `any`: after a few runs it makes one plan for all values, where that seems as good.
 * `given`: it plans each run for the values of that run. An index of what is rare is good for some values only, and how far an index
 * is walked along depends on them.
 */
type PlannedFor = 'any' | 'given';

/** What a mode is set on. */
interface Client {
  query(query: { name: string; text: string }, values: unknown[]): Promise<unknown>;
}

/** `Tx` of `database.ts`, which is made of this. */
interface Transaction {
  readonly _: { readonly session: unknown };
}

const SESSION = { name: 'lib.plan-mode', text: `select set_config('plan_cache_mode', $1, false)` };
/** Null: as it was when the connection began. */
const SETTINGS = { any: null, given: 'force_custom_plan' } as const;

/** Connections on which either mode may be set, and what is set on them. */
const modes = new WeakMap<object, PlannedFor>();

/** Transactions that plan for the values given, until they end. */
const planning = new WeakSet<object>();

/** From now on a connection, a new one, is planned on as each statement asks. Not for one that a pooler gives to others. */
export function choosePlans(client: object): void {
  modes.set(client, 'any');
}

/**
 * Has what is sent next over a connection planned so. Where something has to be said for that, it goes out with it.
 *
 * @returns false where nothing can be
 */
export function planFor(client: Client, mode: PlannedFor): boolean {
  const current = modes.get(client);
  if (current === undefined) return false;
  if (current === mode) return true;
  modes.set(client, mode);
  // It fails as what is sent with it does, whose caller is told: then it is said again.
  client.query(SESSION, [SETTINGS[mode]]).catch(() => modes.set(client, mode === 'any' ? 'given' : 'any'));
  return true;
}

/**
 * Has a transaction plan for the values given, in whatever statement of it this is selected. `markPlannedForValues` must be called
 * as well, so that what follows gets a name.
 */
export const PLAN_FOR_VALUES = `set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Notes that a transaction selects PLAN_FOR_VALUES. Without that its statements by filters would be planned for any values. */
export const markPlannedForValues = (tx: Transaction): void => void planning.add(tx);

/** Has a transaction plan for the values given: rolled back or not, that ends with it. It goes out with what is sent next. */
export async function planForValues(tx: Transaction): Promise<void> {
  markPlannedForValues(tx);
  await (tx._.session as { client: Client }).client.query(
    { name: 'lib.plan-for-values', text: `select ${PLAN_FOR_VALUES}` },
    [],
  );
}

/** Whether a transaction plans for the values given. */
export const isPlannedForValues = (on: object): boolean => planning.has(on);
