import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import { undici } from '#lib/lazy.ts';
import { actions, filled, type OperatorOperation } from '../catalogue/operations.ts';
import type { Members } from '../catalogue/things.ts';
import { sendConsolePage } from '../look/layout.ts';
import { askApi, assertConsoleForm, type SessionDeps, visitorOf } from '../session.ts';
import { aboutOf } from './about.ts';
import { bodyOf, type Fields, first, kindOf } from './action-body.ts';
import { countsFirst, fileOf } from './action-fields.ts';
import { actionPage, COUNTED, KEY, MEANT, pathParameters } from './action-page.ts';
import { answerPage, whereDone } from './answer-page.ts';
import { doneOf, rememberDone } from './done.ts';

/** No form of ours has nearly as many fields; reading very many keeps everybody waiting. */
const PARTS_MAX = 500;
/** What stands at the head of each part, whatever the letters. */
const PART = /content-disposition:/gi;

/** Bytes are looked at as Latin-1, which takes them all. */
function hasFewParts(body: Buffer): boolean {
  return body.toString('latin1').matchAll(PART).drop(PARTS_MAX).next().done === true;
}

/**
 * Reads forms with a file (multipart/form-data): a file becomes its bytes in Base64, the rest are texts as in any form. What it
 * holds is bounded by the body of its route.
 */
function readMultipart(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      if (!hasFewParts(body)) throw new DomainError('BAD_REQUEST', 'the form has too many fields');
      const form = await new (undici().Response)(body, { headers }).formData().catch((cause: unknown) => {
        throw new DomainError('BAD_REQUEST', 'the form is not readable', { cause });
      });
      const fields = new Map<string, string[]>();
      for (const [name, value] of form) {
        const text = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64');
        const before = fields.get(name);
        if (before === undefined) fields.set(name, [text]);
        else before.push(text);
      }
      return Object.fromEntries(fields);
    },
  );
}

/** A file of a bank in Base64, which the API bounds itself. */
const FILE_MAX = 17 * 1024 * 1024;

const body = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Mounts what the forms of actions are sent to. Those that have a file alone take more than other forms, and parts. */
export async function mountActions(app: ZodApp, deps: SessionDeps): Promise<void> {
  const mount = (on: ZodApp, operation: OperatorOperation, bodyLimit?: number): void => {
    const options = { schema: { hide: true, body }, ...(bodyLimit !== undefined && { bodyLimit }) };
    on.post(`/actions/${operation.operationId}`, options, async (request, reply) =>
      doAction(deps, operation, request, reply),
    );
  };
  for (const operation of actions.filter((one) => fileOf(one) === undefined)) mount(app, operation);
  await app.register(async (withFiles: ZodApp) => {
    readMultipart(withFiles);
    for (const operation of actions.filter((one) => fileOf(one) !== undefined)) mount(withFiles, operation, FILE_MAX);
  });
}

/**
 * Does what a form asks for: asks the operator API, and leads to what came of it. A refusal is shown with the form, and so is
 * what the API says of a field.
 */
async function doAction(
  deps: SessionDeps,
  operation: OperatorOperation,
  request: FastifyRequest<{ Body: Fields }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visitor = visitorOf(request);
  const fields = request.body;
  assertConsoleForm(deps, request, first(fields['form']));
  const known = pathParameters(operation, fields);
  const path = filled(operation.path, known);
  const kind = kindOf(operation, first(fields[operation.kinds?.by ?? '']));
  const given = sentBody(operation, bodyOf(operation, kind, fields));
  const of = sha256(JSON.stringify(given)).toString('base64url');
  const isToBeCounted = countsFirst(operation) && first(fields[COUNTED]) !== of;
  const isMeant = operation.irreversible === undefined || isToBeCounted || first(fields[MEANT]) !== '';
  const objection = objectionTo(path, isMeant);
  const again = async (status: number, why: Omit<Parameters<typeof actionPage>[1], 'operation' | 'fields'>) => {
    const about = await aboutOf(request, operation, fields);
    return sendConsolePage(reply, status, actionPage(visitor, { operation, fields, about, ...why }));
  };
  if (path === undefined || objection !== undefined) return again(400, { objection });
  const key = first(fields[KEY]);
  const answer = await askApi(request, {
    method: operation.method,
    path,
    body: countsFirst(operation) ? { ...given, dryRun: isToBeCounted } : given,
    ...(operation.idempotencyKey && key !== '' && !isToBeCounted ? { key } : {}),
  });
  if (answer.status >= 400) return again(answer.status, { refused: answer });
  if (isToBeCounted) return again(200, { counted: { answer: answer.body as Members, of } });
  const done = doneOf(operation, { given, answer });
  const there = whereDone(visitor, operation, { answer, known });
  if (there === undefined) return sendConsolePage(reply, 200, answerPage(visitor, operation, { answer, known, done }));
  return rememberDone(deps, reply, there, done).redirect(there, 303);
}

/** A file comes as multipart.ts has it. */
const sentBody = (operation: OperatorOperation, given: object): object =>
  fileOf(operation) === undefined ? given : { ...given, encoding: 'base64' };

const objectionTo = (path: string | undefined, isMeant: boolean): string | undefined => {
  if (path === undefined) return 'Say what it is to be done to.';
  return isMeant ? undefined : 'It cannot be undone: tick the box if you mean it.';
};
