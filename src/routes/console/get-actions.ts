import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { randomDigits } from '#lib/random.ts';
import type { Fields } from './actions/action-form.ts';
import { aboutOf, actionPage, PATH_OF } from './actions/action-page.ts';
import { namesIn, type OperatorOperation, operationNamed, parametersIn } from './catalogue/operations.ts';
import { assertMay, sendConsolePage, sendNothingHere } from './look/layout.ts';
import { queryOf } from './reads/filter-form.ts';
import { visitorOf } from './session.ts';

/** Identifiers that a link may fill in. Nothing else is taken from an address, because the author of a link may be an attacker. */
const LINKED = /^[\w-]{1,100}$/;

/** Members of a body that name a thing, though not by an id. */
const NAMING = new Set([
  'id',
  'nuban',
  'serialNumber',
  'terminal',
  'transactionId',
  'transactionReference',
  'walletReference',
]);

/** The form of an action. */
export function getActions(app: ZodApp): void {
  const schema = { hide: true, params: z.object({ operation: z.string() }) };
  app.get('/actions/:operation', { schema }, async (request, reply) => {
    const operation = operationNamed(request.params.operation);
    if (operation === undefined || operation.method === 'GET') return sendNothingHere(reply);
    const visitor = visitorOf(request);
    assertMay(visitor, operation);
    const fields = fieldsFrom(operation, queryOf(request.query));
    const about = await aboutOf(request, operation, fields);
    return sendConsolePage(reply, 200, actionPage(visitor, { operation, fields, about }));
  });
}

/** What the address says of the fields: the parts of the path, what else names what the action is about, and its kind. */
function fieldsFrom(operation: OperatorOperation, query: Readonly<Record<string, string>>): Fields {
  const ofPath = namesIn(operation.path).flatMap((name) =>
    query[name] === undefined ? [] : [[`${PATH_OF}${name}`, query[name]]],
  );
  const inPath = new Set(namesIn(operation.path));
  const ids = parametersIn(operation, 'body').filter(
    ({ kind, name }) => kind === 'id' || NAMING.has(name) || name === operation.kinds?.by,
  );
  const ofBody = ids.flatMap(({ name }) => {
    const value = query[name] ?? '';
    return LINKED.test(value) && !inPath.has(name) ? [[name, value]] : [];
  });
  return Object.fromEntries([...suggested(operation, query), ...ofPath, ...ofBody]);
}

/** What moves money back is named after what moved it, and never like another one: sent again, it would be the same. */
function suggested({ operationId }: OperatorOperation, query: Readonly<Record<string, string>>): [string, string][] {
  const word = { refundTransaction: 'refund', reverseTransaction: 'reversal' }[operationId];
  const original = query['reference'];
  if (word === undefined || original === undefined) return [];
  return [['reference', `${original.slice(0, 80)}-${word}-${randomDigits(4)}`]];
}
