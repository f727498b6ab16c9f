import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Fields } from './actions/action-body.ts';
import { actionPage, PATH_OF } from './actions/action-page.ts';
import { namesIn, type OperatorOperation, operationNamed, parametersIn } from './catalogue/operations.ts';
import { sendConsolePage } from './look/layout.ts';
import { sendNothingHere, sendRoleRefused } from './look/sorry.ts';
import { queryOf } from './reads/filter-form.ts';
import { visitorOf } from './session.ts';

/** Identifiers that a link may fill in. Nothing else is taken from an address: whoever wrote it may not be who opens it. */
const LINKED = /^[\w-]{1,100}$/;

/** The form of an action. */
export function getActions(app: ZodApp): void {
  const schema = { hide: true, params: z.object({ operation: z.string() }) };
  app.get('/actions/:operation', { schema }, async (request, reply) => {
    const operation = operationNamed(request.params.operation);
    if (operation === undefined || operation.method === 'GET') return sendNothingHere(reply);
    const visitor = visitorOf(request);
    if (!visitor.may(operation)) return sendRoleRefused(reply, operation);
    return sendConsolePage(
      reply,
      200,
      actionPage(visitor, { operation, fields: fieldsFrom(operation, queryOf(request.query)) }),
    );
  });
}

/** What the address says of the fields: the parts of the path, ids of what else the action is about, and its kind. */
function fieldsFrom(operation: OperatorOperation, query: Readonly<Record<string, string>>): Fields {
  const ofPath = namesIn(operation.path).flatMap((name) =>
    query[name] === undefined ? [] : [[`${PATH_OF}${name}`, query[name]]],
  );
  const inPath = new Set(namesIn(operation.path));
  const ids = parametersIn(operation, 'body').filter(({ kind, name }) => kind === 'id' || name === operation.kinds?.by);
  const ofBody = ids.flatMap(({ name }) => {
    const value = query[name] ?? '';
    return LINKED.test(value) && !inPath.has(name) ? [[name, value]] : [];
  });
  return Object.fromEntries([...ofPath, ...ofBody]);
}
