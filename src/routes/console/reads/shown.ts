import type { FastifyRequest } from 'fastify';
import type { Html } from '#lib/html.ts';
import { payTagApplicationId } from '#modules/clients';
import type { Done } from '../actions/done.ts';
import { type Column, filled, type OperatorOperation, operationNamed } from '../catalogue/operations.ts';
import { type Members, thingNamed } from '../catalogue/things.ts';
import { memberOf } from '../look/values.ts';
import { askApi, type ConsoleVisitor, visitorOf } from '../session.ts';
import { askedQuery, type Query } from './filter-form.ts';

/** What the page of a read shows, and for whom. */
export interface Shown {
  visitor: ConsoleVisitor;
  operation: OperatorOperation;
  path: string;
  query: Query;
  /** The parts of the path. */
  known: Readonly<Record<string, string>>;
  answer: Members;
  /** What was done just now, when a form led here. */
  done: Done | undefined;
  /** Calls another read: its answer, or undefined if the API refuses or the operator may not see it. */
  ask: Ask;
}

export type Ask = (
  operationId: string,
  known: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string>>,
) => Promise<Members | undefined>;

/** The part of a page that is its own. */
export interface PagePart {
  title: string;
  body: Html;
}

/** Lets a page call further reads, as the signed-in operator. */
export const asking =
  (request: FastifyRequest): Ask =>
  async (operationId, known, query = {}) => {
    const operation = operationNamed(operationId);
    const path = operation && filled(operation.path, known);
    if (operation === undefined || path === undefined || !visitorOf(request).may(operation)) return undefined;
    const { status, body } = await askApi(request, { method: 'GET', path: `${path}${askedQuery(operation, query)}` });
    return status === 200 ? (Object(body) as Members) : undefined;
  };

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
 * Learns the names of the partners, applications and customers that an answer mentions by id: from the answer, or by one or two
 * more reads of each kind.
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

/** Mentions in the described members of an answer; metadata is free-form and mentions nothing. */
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
