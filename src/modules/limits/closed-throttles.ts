import { DomainError } from '#lib/domain-error.ts';
import { type Listed, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import type { Closed, ClosedPlace, Throttles } from './create-throttles.ts';

/** As many are looked at for one page, behind those that are passed over. */
const SCANNED_MAX = 1_000;
const COUNTED_MAX = 10_000;

/** Limits of operators themselves, who would else lift what holds them back. */
const OF_OPERATORS: ReadonlySet<string> = new Set([
  'reveals and exports',
  'searches for customers',
  'wrong operator tokens',
]);

/** Which are asked for. What is absent is not asked. */
interface ThrottleFilter {
  name?: string | undefined;
  /** An id of ours that they are of. */
  about?: string | undefined;
}

/**
 * What is refused by a limit now, that first which opens last. A page may hold fewer than were asked for, and go on all the same.
 * `count` is of all while nothing is asked of them; else of those that were looked at.
 */
export async function listClosed(
  { throttles }: { throttles: Throttles },
  { limit, offset, cursor, name, about }: ThrottleFilter & PageRequest<ClosedPlace>,
): Promise<Listed<Closed, ClosedPlace>> {
  const isAsked = (one: Closed) =>
    (name === undefined || one.name === name) && (about === undefined || idsOf(one).includes(about));
  const max = Math.min(SCANNED_MAX + offset, COUNTED_MAX);
  const [scanned, total] = await Promise.all([throttles.closed(max, cursor), throttles.countClosed(COUNTED_MAX + 1)]);
  const asked = scanned.filter(isAsked);
  const { items, next } = pageOfRows(asked.slice(offset), limit, placeOf);
  const last = scanned.at(-1);
  const isShort = next === undefined && limit > 0 && scanned.length === max && offset < max && last !== undefined;
  const isFiltered = name !== undefined || about !== undefined;
  return {
    items,
    next: isShort ? placeOf(last) : next,
    count: isFiltered ? asked.length : Math.min(total, COUNTED_MAX),
    countIsExact: isFiltered ? total <= max && cursor === undefined : total <= COUNTED_MAX,
  };
}

/** Ids of ours that what is refused is of. */
export const idsOf = ({ about }: Closed): string[] => about?.split(' ') ?? [];

const placeOf = ({ until, id }: Closed): ClosedPlace => ({ at: until, id });

/**
 * Lets go what a limit refuses: its count begins from zero. Audited. What holds operators back an admin lifts, and nobody their own.
 *
 * @throws DomainError THROTTLE_NOT_FOUND where nothing is refused; ROLE_REFUSED
 */
export async function liftThrottle(
  { transact, throttles, securityLog }: { transact: Transact; throttles: Throttles; securityLog: SecurityLog },
  { id, by, reason }: { id: string; by: { id: string; actor: string; isAdmin: boolean }; reason: string },
): Promise<Closed> {
  const found = await throttles.findClosed(id);
  if (found === undefined) throw new DomainError('THROTTLE_NOT_FOUND', 'nothing is refused by such a limit now');
  if (OF_OPERATORS.has(found.name)) {
    if (!by.isAdmin)
      throw new DomainError('ROLE_REFUSED', `${found.name} are limited for operators: it needs the role admin`);
    const isOwn = found.about === undefined ? by.id === 'root' : idsOf(found).includes(by.id);
    if (isOwn && found.name !== 'wrong operator tokens') {
      throw new DomainError('ROLE_REFUSED', 'this limit is your own: ask another admin');
    }
  }
  const before = { name: found.name, about: idsOf(found), until: found.until.toISOString() };
  const change = { actor: by.actor, action: 'throttle.lift', target: id, before, after: { spent: 0 }, reason };
  await transact((tx) => recordChange(tx, change));
  await throttles.open(id); // what is not noted is not lifted
  securityLog.record('limit_lifted');
  return found;
}
