import type { Executor } from '#lib/database.ts';
import { lastChangesByOthers, listChanges } from '#modules/audit';
import { root } from './authenticate-operator.ts';
import { mayDo, roles } from './roles.ts';
import { countActiveAdmins } from './store.ts';

const MAKE = 'operator.create';
/** What gives an operator a token, which whoever did it has seen. */
const GIVE_TOKENS = [MAKE, 'operator.enable', 'operator.token.rotate'];

const AT_ONCE = 1000;
/** So many admins need no root. */
const ADMINS = 2;

/** An operator, and the moment from which on they are looked at. */
interface Looked {
  id: string;
  since: Date;
  /** Whether that root made them counts for nothing. */
  isFirst: boolean;
}

/**
 * Whether one person may be behind two operators, as the audit log has it: who asks for something, and who is to approve it. One
 * person may hold the token of whomever they gave it, until somebody else gives that operator another; and they may be whoever
 * has lately had it through their hands, or a higher role. So may whoever did so to those, and so on.
 *
 * Root’s hands count lately only, as somebody has to make the first; and while there are no two admins, that root has made whoever
 * asks counts for nothing.
 *
 * @param given.since what was given before is not lately
 */
export async function mayBeOne(
  db: Executor,
  { asks, approves, since }: { asks: string; approves: string; since: Date },
): Promise<boolean> {
  if (asks === approves) return true;
  const isFirst = (await countActiveAdmins(db)) < ADMINS;
  const asking = await handsOn(db, { id: asks, since, isFirst });
  const approving = await handsOn(db, { id: approves, since, isFirst: false });
  return !asking.isDisjointFrom(approving);
}

/** Whose hands an operator’s token or role went through: themselves, who gave it to them, who did so to those, and so on. */
async function handsOn(db: Executor, looked: Looked): Promise<ReadonlySet<string>> {
  const hands = new Set([looked.id]);
  for (const id of hands) {
    for (const by of await giversOf(db, { ...looked, id })) hands.add(by);
    for (const by of await promotersOf(db, { ...looked, id })) hands.add(by);
  }
  return hands;
}

/** Who gave an operator a token lately, and who gave them the last one, at any time. */
async function giversOf(db: Executor, { id, since, isFirst }: Looked): Promise<string[]> {
  const given = await lastChangesByOthers(db, { target: id, actions: GIVE_TOKENS, apartFrom: `operator:${id}` });
  return given.flatMap(({ actor, action, at }, place) => {
    const by = operatorIn(actor);
    const isForgiven = by === root.id && (at < since || (isFirst && action === MAKE));
    const counts = (at >= since || place === 0) && !isForgiven;
    return by !== undefined && counts ? [by] : [];
  });
}

/** Who gave an operator a higher role lately. Nobody does so for themselves. */
async function promotersOf(db: Executor, { id, since }: Looked): Promise<string[]> {
  const changes = { target: id, action: 'operator.role', from: since, limit: AT_ONCE, offset: 0, isUncounted: true };
  const { items } = await listChanges(db, changes);
  return items.flatMap((entry) => (lowers(entry) ? [] : (operatorIn(entry.actor) ?? [])));
}

/** Whether it gave a lesser role, by which nobody may do more. */
const lowers = ({ before, after }: { before: ByRole; after: ByRole }): boolean => {
  const [had, has] = [before, after].map((one) => roles.find((role) => role === one?.['role']));
  return had !== undefined && has !== undefined && mayDo(had, has);
};

type ByRole = Readonly<Record<string, unknown>> | null;

/** The id in what an audit entry names an operator by. */
const operatorIn = (actor: string): string | undefined => /^operator:(\S+)/.exec(actor)?.[1];
