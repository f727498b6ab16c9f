import { payTagApplicationId } from '#modules/clients';
import type { Column } from '../catalogue/operations.ts';
import { type Members, thingNamed } from '../catalogue/things.ts';
import { memberOf } from '../look/values.ts';
import type { ConsoleVisitor } from '../session.ts';
import type { Ask } from './shown.ts';

/** Where names are asked for that an answer does not have. */
const lists: Readonly<Record<string, string>> = { getApplication: 'listApplications', getPartner: 'listPartners' };
/** So few are asked for one by one. Of more, those among the newest of their list have a name, and the others their id. */
const APART_MAX = 2;
const NEWEST = '100';

interface Mention {
  /** The read whose page shows it. */
  operationId: string;
  id: string;
  /** As the answer itself calls it. */
  name: string | undefined;
}

/**
 * Learns what the partners, applications and customers are called that an answer names by their ids: from what it says beside
 * them, or else by one more read of each kind, or two.
 */
export async function learnNames(
  { names }: ConsoleVisitor,
  ask: Ask,
  columns: readonly Column[],
  items: readonly Members[],
): Promise<void> {
  const mentions = items.flatMap((item) => mentionsIn(columns, item));
  names.set(payTagApplicationId, 'PayTag');
  for (const { id, name } of mentions) if (name !== undefined) names.set(id, name);
  const unknown = mentions.filter(({ id }) => !names.has(id));
  for (const [one, list] of Object.entries(lists)) {
    const ids = [...new Set(unknown.filter(({ operationId }) => operationId === one).map(({ id }) => id))];
    const found =
      ids.length > APART_MAX
        ? ((await ask(list, {}, { limit: NEWEST }))?.['items'] as Members[] | undefined)
        : await Promise.all(ids.map(async (id) => ask(one, { id })));
    for (const thing of found ?? []) {
      if (typeof thing?.['name'] === 'string') names.set(String(thing['id']), thing['name']);
    }
  }
}

/** By what is described of an answer: what somebody keeps in metadata names nobody. */
function mentionsIn(columns: readonly Column[], item: Members): Mention[] {
  return columns.flatMap((column): Mention[] => {
    const value = memberOf(item, column.name);
    if (column.columns !== undefined && Array.isArray(value)) {
      const { columns: inner } = column;
      return value.flatMap((one) => mentionsIn(inner, Object(one) as Members));
    }
    const [leaf = '', ...above] = column.name.split('.').toReversed();
    if (typeof value !== 'string' || !/Id$|ID$/.test(leaf)) return [];
    const parent = above.length === 0 ? item : (Object(memberOf(item, above.toReversed().join('.'))) as Members);
    const operationId = thingNamed(leaf, parent);
    if (operationId === undefined) return [];
    const name = parent[operationId === 'getCustomer' ? 'paytag' : leaf.replace(/Id$|ID$/, 'Name')];
    return [{ operationId, id: value, name: typeof name === 'string' && name !== '' ? name : undefined }];
  });
}
