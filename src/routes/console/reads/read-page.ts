import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '#lib/html.ts';
import {
  leading,
  nameOfAction,
  offered,
  offersOfItem,
  offersOfList,
  offersOfOneself,
  offersOfRow,
  waysOn,
} from '../catalogue/offers.ts';
import {
  asRoute,
  type Column,
  filled,
  homeOf,
  namesIn,
  type OperatorOperation,
  operationNamed,
  parametersIn,
} from '../catalogue/operations.ts';
import { addressOfItem, type Members } from '../catalogue/things.ts';
import { labelOf, shortOf } from '../catalogue/words.ts';
import { factsOf, listsOf } from '../look/facts.ts';
import { sendConsolePage } from '../look/layout.ts';
import { addressOf } from '../look/menu.ts';
import { head, notice, refusal, titleOfRefusal } from '../look/parts.ts';
import { sendNothingHere } from '../look/sorry.ts';
import { columnsShown, table } from '../look/table.ts';
import { type ApiAnswer, askApi, CONSOLE, type ConsoleVisitor, visitorOf } from '../session.ts';
import { designed } from './designed.ts';
import { addressWith, askedQuery, filterForm, type Query, queryOf } from './filter-form.ts';

/** Rows of a page: as many as are read through at once. */
const ROWS = '50';

/** Answers the page of a read: what the API answers to the same question. */
export async function sendRead(
  operation: OperatorOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(request.query);
  const known = request.params as Readonly<Record<string, string>>;
  const path = filled(operation.path, known);
  if (path === undefined) return sendNothingHere(reply);
  const hasLimit = parametersIn(operation, 'query').some(({ name }) => name === 'limit');
  const isFile = query['format'] === 'csv' && operation.csv;
  const asked = hasLimit && !isFile ? { limit: ROWS, ...query } : query;
  const answer = await askApi(request, { method: 'GET', path: `${path}${askedQuery(operation, asked)}` });
  if (isFile && answer.status === 200) return sendFile(reply, answer);
  const visitor = visitorOf(request);
  const at = addressOf(operation);
  if (answer.status >= 400) {
    const title = titleOfRefusal(answer.status);
    const body = html`${head(title, { crumbs: crumbsOf(operation) })}${refusal(answer)}${operation.list && filterForm(operation, path, query)}`;
    return sendConsolePage(reply, answer.status, { title, body, at });
  }
  const shown = { visitor, operation, path, query, known, answer: Object(answer.body) as Members, request };
  const page = operation.list ? listPage(shown) : itemPage(shown);
  const more = await designed[operation.operationId]?.(shown);
  return sendConsolePage(reply, 200, { title: page.title, at: homeAt(operation), body: html`${page.body}${more}` });
}

/** In the menu a thing stands under its list. */
const homeAt = (operation: OperatorOperation): string => addressOf(homeOf(operation) ?? operation);

function sendFile(reply: FastifyReply, { headers, text }: ApiAnswer): FastifyReply {
  for (const name of ['content-type', 'content-disposition', 'link'] as const) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  return reply.serializer(String).send(text);
}

interface Shown {
  visitor: ConsoleVisitor;
  operation: OperatorOperation;
  path: string;
  query: Query;
  known: Readonly<Record<string, string>>;
  answer: Members;
}

interface Part {
  title: string;
  body: Html;
}

/** The way up: to the list that a thing stands in. */
function crumbsOf(operation: OperatorOperation): Html {
  const home = homeOf(operation);
  if (home === undefined || namesIn(home.path).length > 0) return html`<a href="${CONSOLE}">Overview</a>`;
  return html`<a href="${addressOf(home)}">${labelOf(home.noun)}</a>`;
}

/** What was just done, when a form led here. */
function doneNotice({ query }: Shown): Html {
  const done = operationNamed(query['done'] ?? '');
  return done === undefined ? html`` : notice(`Done: ${nameOfAction(done)}`, html`${shortOf(done.summary)}.`);
}

function listPage(shown: Shown): Part {
  const { visitor, operation, path, query, answer } = shown;
  const { operationId, noun, summary, columns, beside, csv } = operation;
  const title = labelOf(noun);
  const items = answer['items'] as Members[];
  const { count, countIsExact, nextCursor } = answer as { count?: number; countIsExact?: boolean; nextCursor?: string };
  const { cursor, done: _done, ...filters } = query;
  const known =
    count === undefined ? '' : `${countIsExact === false ? 'more than ' : ''}${count.toLocaleString('en-NG')} in all`;
  const rows = table(visitor, {
    columns: columnsShown(operationId, columns),
    items,
    label: title,
    addressOf: (item) => addressOfItem(visitor, operation, item),
    offersOf: (item) => (addressOfItem(visitor, operation, item) === undefined ? offersOfRow(visitor, path, item) : []),
  });
  return {
    title,
    body: html`${head(title, { crumbs: crumbsOf(operation), lead: summary })}${doneNotice(shown)}
${offered(offersOfList(visitor, operation), 'What you can do')}
${factsOf(visitor, beside, answer)}
${filterForm(operation, path, query)}
<div id="found">${items.length === 0 ? html`<p class="none">Nothing here${Object.keys(query).length > 0 ? ' that matches' : ''}.</p>` : rows}
<p class="pages">${cursor !== undefined && pageLink(addressWith(path, filters, {}), 'Newest')}${
      nextCursor !== undefined && pageLink(addressWith(path, filters, { cursor: nextCursor }), 'Older')
    }${csv && items.length > 0 && html`<a href="${addressWith(path, filters, { format: 'csv' })}" download>As a file (CSV)</a>`}${known !== '' && html`<span class="note">${known}</span>`}</p></div>
${listsOf(visitor, beside, answer, () => [])}`,
  };
}

const pageLink = (address: string, label: string): Html =>
  html`<a href="${address}" hx-get="${address}" hx-target="#found" hx-select="#found" hx-swap="outerHTML show:top" hx-push-url="true">${label}</a>`;

/** What a thing is called. */
function titleOf({ operation, answer, known }: Shown): string {
  const called = ['tagString', 'Reference', 'reference', 'event', 'merchant', 'serialNumber', 'operation', 'paytag'];
  const { name: own } = answer;
  if (typeof own === 'string') return own;
  const name = called.map((member) => answer[member]).find((value) => typeof value === 'string');
  const word = labelOf(operation.noun).replace(/ies$/, 'y').replace(/s$/, '');
  return name === undefined ? [word, ...Object.values(known)].join(' ') : `${word} ${name}`;
}

function itemPage(shown: Shown): Part {
  const { visitor, operation, known, answer } = shown;
  const title = titleOf(shown);
  const rowOffers = (column: Column, row: Members) =>
    offersOfRow(visitor, `${operation.path}/${column.name}`, row, known);
  return {
    title,
    body: html`${head(title, { crumbs: crumbsOf(operation), lead: operation.summary })}${doneNotice(shown)}
${offered([...offersOfItem(visitor, operation, known, answer), ...(operation.operationId === 'getOwnOperator' ? offersOfOneself(visitor) : [])], 'What you can do')}
${factsOf(visitor, operation.columns, answer)}
${leading(waysOn(visitor, operation, known))}
${listsOf(visitor, operation.columns, answer, rowOffers)}`,
  };
}

/** The path under which a read has its page. */
export const routeOf = ({ path }: OperatorOperation): string => asRoute(path);
