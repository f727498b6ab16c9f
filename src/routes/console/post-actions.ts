import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { bodyOf, type Fields, first, kindOf } from './actions/action-body.ts';
import { countsFirst, fileOf } from './actions/action-fields.ts';
import { actionPage, COUNTED, KEY, MEANT, pathParameters } from './actions/action-page.ts';
import { answerPage, whereDone } from './actions/answer-page.ts';
import { filled, type OperatorOperation, operationNamed } from './catalogue/operations.ts';
import type { Members } from './catalogue/things.ts';
import { sendConsolePage } from './look/layout.ts';
import { sendNothingHere } from './look/sorry.ts';
import { askApi, assertConsoleForm, type SessionDeps, visitorOf } from './session.ts';

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
    const kind = kindOf(operation, first(fields[operation.kinds?.by ?? '']));
    const given = sentBody(operation, bodyOf(operation, kind, fields));
    const of = sha256(JSON.stringify(given)).toString('base64url');
    const isToBeCounted = countsFirst(operation) && first(fields[COUNTED]) !== of;
    const isMeant = operation.irreversible === undefined || isToBeCounted || first(fields[MEANT]) !== '';
    const objection = objectionTo(path, isMeant);
    if (path === undefined || objection !== undefined) {
      return sendConsolePage(reply, 400, actionPage(visitor, { operation, fields, ...(objection && { objection }) }));
    }
    const key = first(fields[KEY]);
    const answer = await askApi(request, {
      method: operation.method,
      path,
      body: countsFirst(operation) ? { ...given, dryRun: isToBeCounted } : given,
      ...(operation.idempotencyKey && key !== '' && !isToBeCounted ? { key } : {}),
    });
    if (answer.status >= 400) {
      return sendConsolePage(reply, answer.status, actionPage(visitor, { operation, fields, refused: answer }));
    }
    if (isToBeCounted) {
      const counted = { answer: answer.body as Members, of };
      return sendConsolePage(reply, 200, actionPage(visitor, { operation, fields, counted }));
    }
    const there = whereDone(visitor, operation, { answer, known });
    if (there === undefined) return sendConsolePage(reply, 200, answerPage(visitor, operation, { answer, known }));
    return reply.redirect(`${there}?done=${operation.operationId}`, 303);
  });
}

/** A file comes as multipart.ts has it. */
const sentBody = (operation: OperatorOperation, given: object): object =>
  fileOf(operation) === undefined ? given : { ...given, encoding: 'base64' };

const objectionTo = (path: string | undefined, isMeant: boolean): string | undefined => {
  if (path === undefined) return 'Say what it is to be done to.';
  return isMeant ? undefined : 'It cannot be undone: tick the box if you mean it.';
};
