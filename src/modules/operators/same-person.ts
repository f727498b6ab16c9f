import type { Executor } from '#lib/postgres/executor.ts';
import { countEverGiven, listChangesByOthers } from '#modules/audit';
import { root } from './authenticate-operator.ts';
import { mayDo, roles } from './roles.ts';

const MAKE = 'operator.create';

const PROMOTE = 'operator.role';

/** Actions that give an operator a token, which the acting operator has seen. */
const GIVE_TOKENS: readonly string[] = [MAKE, 'operator.enable', 'operator.token.rotate'];

/** From this many admins on, root is not needed. */
const ADMINS = 2;

/** An operator, and the start of the recent period. */
interface Lookup {
  id: string;
  since: Date;
  /** Ignore that root created an operator. */
  ignoresRootCreations?: boolean;
}

/**
 * Whether one person may control both operators, requester and approver, according to the audit log. An operator who gave another a
 * token may still hold it, until a third operator gives that one a new token. An operator who recently gave another a token or a
 * higher role counts as well, and so do those who gave to the givers, and so on.
 *
 * Root counts only for recent actions, since the first operator has no other creator. Until there have been two admins, root may
 * approve requests of operators that root created.
 *
 * @param given.since the start of the recent period
 */
export async function mayBeSamePerson(
  db: Executor,
  { asks, approves, since }: { asks: string; approves: string; since: Date },
): Promise<boolean> {
  const approving = await controllersOf(db, { id: approves, since });
  if ((await controllersOf(db, { id: asks, since })).isDisjointFrom(approving)) return false;
  if (approves !== root.id || (await countEverGiven(db, [MAKE, PROMOTE], 'admin')) >= ADMINS) return true;
  return !(await controllersOf(db, { id: asks, since, ignoresRootCreations: true })).isDisjointFrom(approving);
}

/** The operators who may control an operator: themselves, the givers of their token or role, the givers of those, and so on. */
async function controllersOf(db: Executor, lookup: Lookup): Promise<ReadonlySet<string>> {
  const controllers = new Set([lookup.id]);
  for (const id of controllers) for (const by of await giversOf(db, { ...lookup, id })) controllers.add(by);
  return controllers;
}

/** The operators who recently gave an operator a token or a higher role, and the giver of the last token, at any time. */
async function giversOf(db: Executor, { id, since, ignoresRootCreations = false }: Lookup): Promise<string[]> {
  const asked = { target: id, actions: [...GIVE_TOKENS, PROMOTE], apartFrom: `operator:${id}` };
  const given = (await listChangesByOthers(db, asked)).filter((change) => !lowers(change));
  const last = given.find(({ action }) => GIVE_TOKENS.includes(action));
  return given.flatMap((change) => {
    const by = operatorIn(change.actor);
    const isRecent = change.at >= since && !(ignoresRootCreations && by === root.id && change.action === MAKE);
    return by !== undefined && (isRecent || (change === last && by !== root.id)) ? [by] : [];
  });
}

/** Whether it gave the same or a lower role. */
const lowers = ({ before, after }: { before: ByRole; after: ByRole }): boolean => {
  const [had, has] = [before, after].map((one) => roles.find((role) => role === one?.['role']));
  return had !== undefined && has !== undefined && mayDo(had, has);
};

type ByRole = Readonly<Record<string, unknown>> | null;

/** The id of an operator in the actor of an audit entry. */
const operatorIn = (actor: string): string | undefined => /^operator:(\S+)/.exec(actor)?.[1];
