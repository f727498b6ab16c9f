import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { bodyOf, type Fields, first, kindOf } from './action-body.ts';
import { fileOf } from './action-fields.ts';
import { actionPage, KEY, MEANT, pathParameters } from './action-page.ts';
import { answerPage, whereDone } from './answer-page.ts';
import { filled, operationNamed } from './catalogue.ts';
import { sendConsolePage } from './layout.ts';
import { askApi, assertConsoleForm, type SessionDeps, visitorOf } from './session.ts';
import { sendNothingHere } from './sorry.ts';

/** A file of a bank, which the API bounds itself. */
const BODY_MAX = 17 * 1024 * 1024;

const body = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/**
 * Does what a form asks for: asks the operator API, and leads to what came of it. A refusal is shown with the form, and so is
 * what the API says of a field.
 */
export function postActions(app: ZodApp, deps: SessionDeps): void {
  const schema = { hide: true, params: z.object({ operation: z.string() }), body };
  app.post('/actions/:operation', { schema, bodyLimit: BODY_MAX }, async (request, reply) => {
    const operation = operationNamed(request.params.operation);
    if (operation === undefined || operation.method === 'GET') return sendNothingHere(reply);
    const visitor = visitorOf(request);
    const fields: Fields = request.body;
    assertConsoleForm(deps, request, first(fields['form']));
    const known = pathParameters(operation, fields);
    const path = filled(operation.path, known);
    const objection = objectionTo(path, operation.irreversible !== undefined && first(fields[MEANT]) === '');
    if (path === undefined || objection !== undefined) {
      return sendConsolePage(reply, 400, actionPage(visitor, { operation, fields, ...(objection && { objection }) }));
    }
    const kind = kindOf(operation, first(fields[operation.kinds?.by ?? '']));
    const given = bodyOf(operation, kind, fields);
    const file = fileOf(operation);
    const sent = file === undefined ? given : { ...given, encoding: 'base64' }; // as multipart.ts has it
    const key = first(fields[KEY]);
    const answer = await askApi(request, {
      method: operation.method,
      path,
      body: sent,
      ...(operation.idempotencyKey && key !== '' ? { key } : {}),
    });
    if (answer.status >= 400) {
      return sendConsolePage(reply, answer.status, actionPage(visitor, { operation, fields, refused: answer }));
    }
    const there = whereDone(visitor, operation, { answer, known });
    if (there === undefined) return sendConsolePage(reply, 200, answerPage(visitor, operation, { answer, known }));
    return reply.redirect(`${there}?done=${operation.operationId}`, 303);
  });
}

const objectionTo = (path: string | undefined, isNotMeant: boolean): string | undefined => {
  if (path === undefined) return 'Say what it is to be done to.';
  return isNotMeant ? 'It cannot be undone: tick the box if you mean it.' : undefined;
};
