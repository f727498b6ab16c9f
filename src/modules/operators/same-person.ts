import type { Executor } from '#lib/postgres/executor.ts';
import { countEverGiven, listChangesByOthers } from '#modules/audit';
import { root } from './authenticate-operator.ts';
import { mayDo, roles } from './roles.ts';

const MAKE = 'operator.create';

const PROMOTE = 'operator.role';

/** What gives an operator a token, which whoever did it has seen. */
const GIVE_TOKENS: readonly string[] = [MAKE, 'operator.enable', 'operator.token.rotate'];

/** So many admins need no root. */
const ADMINS = 2;

/** An operator, and the moment from which on something was done lately. */
interface Looked {
  id: string;
  since: Date;
  /** That root made somebody counts for nothing. */
  isFirst?: boolean;
}

/**
 * Whether one person may be behind two operators, as the audit log has it: who asks for something, and who is to approve it. One
 * person may hold the token of whomever they gave it, until somebody else gives that operator another; and they may be whoever
 * has lately had it through their hands, or a higher role. So may whoever did so to those, and so on.
 *
 * Root’s hands count lately only, as somebody has to make the first; and until there have been two admins, whatever became of them,
 * root may approve what those ask for whom it made.
 *
 * @param given.since what was given before is not lately
 */
export async function mayBeOne(
  db: Executor,
  { asks, approves, since }: { asks: string; approves: string; since: Date },
): Promise<boolean> {
  const approving = await handsOn(db, { id: approves, since });
  if ((await handsOn(db, { id: asks, since })).isDisjointFrom(approving)) return false;
  if (approves !== root.id || (await countEverGiven(db, [MAKE, PROMOTE], 'admin')) >= ADMINS) return true;
  return !(await handsOn(db, { id: asks, since, isFirst: true })).isDisjointFrom(approving);
}

/** Whose hands an operator’s token or role went through: themselves, who gave it to them, who did so to those, and so on. */
async function handsOn(db: Executor, looked: Looked): Promise<ReadonlySet<string>> {
  const hands = new Set([looked.id]);
  for (const id of hands) for (const by of await giversOf(db, { ...looked, id })) hands.add(by);
  return hands;
}

/** Who gave an operator a token or a higher role lately, and who gave them the last token, at any time. */
async function giversOf(db: Executor, { id, since, isFirst = false }: Looked): Promise<string[]> {
  const asked = { target: id, actions: [...GIVE_TOKENS, PROMOTE], apartFrom: `operator:${id}` };
  const given = (await listChangesByOthers(db, asked)).filter((change) => !lowers(change));
  const last = given.find(({ action }) => GIVE_TOKENS.includes(action));
  return given.flatMap((change) => {
    const by = operatorIn(change.actor);
    const isLately = change.at >= since && !(isFirst && by === root.id && change.action === MAKE);
    return by !== undefined && (isLately || (change === last && by !== root.id)) ? [by] : [];
  });
}

/** Whether it gave a lesser role, by which nobody may do more. */
const lowers = ({ before, after }: { before: ByRole; after: ByRole }): boolean => {
  const [had, has] = [before, after].map((one) => roles.find((role) => role === one?.['role']));
  return had !== undefined && has !== undefined && mayDo(had, has);
};

type ByRole = Readonly<Record<string, unknown>> | null;

/** The id in what an audit entry names an operator by. */
const operatorIn = (actor: string): string | undefined => /^operator:(\S+)/.exec(actor)?.[1];
