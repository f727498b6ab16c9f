import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Html, html } from '#lib/html.ts';
import { undici } from '#lib/lazy.ts';
import { nameOfAction } from '../catalogue/offers.ts';
import { actions, filled, homeOf, type OperatorOperation, operationNamed } from '../catalogue/operations.ts';
import {
  addressOfItem,
  addressOfThing,
  calledOf,
  defaultCurrency,
  type Members,
  withCurrency,
} from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { addressOf, type ConsolePage, sendConsolePage } from '../look/layout.ts';
import { head } from '../look/parts.ts';
import { columnsShown, factsOf, listsOf, table } from '../look/table.ts';
import {
  type ApiAnswer,
  askApi,
  assertConsoleForm,
  CONSOLE,
  type ConsoleVisitor,
  type SessionDeps,
  visitorOf,
} from '../session.ts';
import { bodyOf, countsFirst, type Fields, fileOf, first, kindOf } from './action-form.ts';
import { aboutOf, actionPage, COUNTED, KEY, MEANT, pathParameters } from './action-page.ts';
import { type Done, doneNotice, doneOf, rememberDone } from './done.ts';

/** Far more fields than our forms have; reading very many would block other requests. */
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

const formBody = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Mounts what the forms of actions are sent to. Those that have a file alone take more than other forms, and parts. */
export async function mountActions(app: ZodApp, deps: SessionDeps): Promise<void> {
  const mount = (on: ZodApp, operation: OperatorOperation, bodyLimit?: number): void => {
    const options = { schema: { hide: true, body: formBody }, ...(bodyLimit !== undefined && { bodyLimit }) };
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
 * Runs the operation of a form through the operator API and redirects to the result. A refusal is shown with the form, each fault
 * at its field.
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

/** A file arrives in Base64. */
const sentBody = (operation: OperatorOperation, given: object): object =>
  fileOf(operation) === undefined ? given : { ...given, encoding: 'base64' };

const objectionTo = (path: string | undefined, isMeant: boolean): string | undefined => {
  if (path === undefined) return 'Say which thing to change.';
  return isMeant ? undefined : 'It cannot be undone: tick the box if you mean it.';
};

const SECRET = /^(apiKey|token|secret|webhookSecret|clientSecret|client_secret)$/;

/** Answers that stand nowhere else: what was asked for, not what became of a thing. */
const shownInPlace = new Set([
  'compareRail',
  'exportCustomer',
  'findCustomers',
  'replayDeliveries',
  'revealCustomer',
  'revealCustomers',
]);

/**
 * Where an action leads when it was done: to the page of what it was done to. Undefined for one whose answer is seen nowhere else,
 * as a secret is.
 */
function whereDone(
  visitor: ConsoleVisitor,
  operation: OperatorOperation,
  { answer, known }: { answer: ApiAnswer; known: Readonly<Record<string, string>> },
): string | undefined {
  const { operationId, columns } = operation;
  if (answer.status === 202) {
    const { id } = answer.body as { id: string };
    return addressOfThing(visitor, 'getApproval', id);
  }
  if (shownInPlace.has(operationId) || columns.some(({ name }) => SECRET.test(name))) return undefined;
  const home = homeOf(operation);
  const isMade = home !== undefined && home.path === operation.path;
  const made = isMade ? addressOfItem(visitor, home, Object(answer.body) as Members) : undefined;
  const there = home && visitor.may(home) ? filled(home.path, known) : undefined;
  return made ?? (there === undefined ? undefined : `${CONSOLE}${there}`);
}

/** The page of an answer that no other page shows, such as a new secret. */
export function answerPage(
  visitor: ConsoleVisitor,
  operation: OperatorOperation,
  { answer, known, done }: { answer: ApiAnswer; known: Readonly<Record<string, string>>; done: Done },
): ConsolePage {
  const body = withCurrency(defaultCurrency(operation), Object(answer.body) as Members);
  const { columns, extras, list, operationId } = operation;
  const secrets = columns.filter(({ name }) => SECRET.test(name));
  const others = columns.filter(({ name }) => !SECRET.test(name));
  const home = homeOf(operation);
  const back =
    home &&
    visitor.may(home) &&
    (filled(home.path, known) === undefined ? addressOf(home) : `${CONSOLE}${filled(home.path, known)}`);
  const name = nameOfAction(operation);
  return {
    title: name,
    at: home === undefined ? '' : addressOf(home),
    body: html`${head(name, { crumbs: back === undefined || back === false ? undefined : html`<a href="${back}">Back</a>` })}
${operation.changes && doneNotice(done, calledOf(body))}
${secrets.map((column) => secret(column.name, body[column.name]))}
${list ? itemsOf(visitor, operation, body) : html`${factsOf(visitor, others, body)}${listsOf(visitor, others, body, () => [])}`}
${list && factsOf(visitor, extras, body)}
<p class="pages">${whatIsMade(visitor, operation, body)}<a href="${CONSOLE}/actions/${operationId}">Once more</a></p>`,
  };
}

function itemsOf(visitor: ConsoleVisitor, { operationId, columns, noun }: OperatorOperation, body: Members): Html {
  const items = body['items'] as Members[];
  if (items.length === 0) return html`<p class="none">Nothing was found.</p>`;
  const pageOf = (item: Members) =>
    operationId.endsWith('Customers') ? addressOfThing(visitor, 'getCustomer', String(item['id'])) : undefined;
  return table(visitor, {
    columns: columnsShown(operationId, columns),
    items,
    label: labelOf(noun),
    addressOf: pageOf,
  });
}

function secret(name: string, value: unknown): Html {
  if (typeof value !== 'string') return html``;
  return html`<div class="panel alert"><h2>${labelOf(name)}</h2><p>Keep it now: it is not shown again.</p><code class="secret" tabindex="0">${value}</code></div>`;
}

/** The page of what was made. */
function whatIsMade(visitor: ConsoleVisitor, operation: OperatorOperation, body: Members): Html | false {
  const made = operationNamed(operation.operationId.replace(/^create/, 'get'));
  const id = body['id'];
  const there =
    made === undefined || made === operation || typeof id !== 'string'
      ? undefined
      : addressOfThing(visitor, made.operationId, id);
  return there !== undefined && html`<a href="${there}">Open it</a>`;
}
