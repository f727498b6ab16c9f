import type { Executor } from '#lib/database.ts';
import { listChanges } from '#modules/audit';
import { mayDo, roles } from './roles.ts';

/** What gives an operator a token that somebody else has seen, or a role that somebody else chose. */
const giving: ReadonlySet<string> = new Set([
  'operator.create',
  'operator.enable',
  'operator.role',
  'operator.token.rotate',
]);

const AT_ONCE = 1000;

/**
 * Whose hands an operator's token or role went through since a moment, as the audit log has it: themselves, whoever made, enabled,
 * promoted or rotated them, whoever did so to those, and so on.
 *
 * @param apartFrom what counts for nothing
 * @returns the ids of operators, `root` for root's
 */
export async function handsOn(
  db: Executor,
  { id, since, apartFrom }: { id: string; since: Date; apartFrom?: 'operator.create' | undefined },
): Promise<ReadonlySet<string>> {
  const hands = new Set([id]);
  for (const target of hands) {
    const { items } = await listChanges(db, { target, from: since, limit: AT_ONCE, offset: 0 });
    for (const entry of items) {
      const by = operatorIn(entry.actor);
      if (by !== undefined && giving.has(entry.action) && entry.action !== apartFrom && !lowers(entry)) hands.add(by);
    }
  }
  return hands;
}

/** Whether it gave a lesser role, by which nobody may do more. */
const lowers = ({ before, after }: { before: ByRole; after: ByRole }): boolean => {
  const [had, has] = [before, after].map((one) => roles.find((role) => role === one?.['role']));
  return had !== undefined && has !== undefined && mayDo(had, has);
};

type ByRole = Readonly<Record<string, unknown>> | null;

/** The id in what an audit entry names an operator by. */
const operatorIn = (actor: string): string | undefined => /^operator:(\S+)/.exec(actor)?.[1];
