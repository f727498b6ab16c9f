import { type Html, html } from '#lib/html.ts';
import { currencyUnlessSaid, withCurrency } from '../catalogue/currencies.ts';
import { nameOfAction } from '../catalogue/offers.ts';
import { filled, homeOf, type OperatorOperation, operationNamed } from '../catalogue/operations.ts';
import { addressOfItem, addressOfThing, calledOf, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { factsOf, listsOf } from '../look/facts.ts';
import type { ConsolePage } from '../look/layout.ts';
import { addressOf } from '../look/menu.ts';
import { head } from '../look/parts.ts';
import { columnsShown, table } from '../look/table.ts';
import { type ApiAnswer, CONSOLE, type ConsoleVisitor } from '../session.ts';
import { type Done, doneNotice } from './done.ts';

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
export function whereDone(
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

/** What an action answered, for whoever will see it nowhere else. */
export function answerPage(
  visitor: ConsoleVisitor,
  operation: OperatorOperation,
  { answer, known, done }: { answer: ApiAnswer; known: Readonly<Record<string, string>>; done: Done },
): ConsolePage {
  const body = withCurrency(currencyUnlessSaid(operation), Object(answer.body) as Members);
  const { columns, beside, list, operationId } = operation;
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
${list && factsOf(visitor, beside, body)}
<p class="pages">${whatIsMade(visitor, operation, body)}<a href="${CONSOLE}/actions/${operationId}">Once more</a></p>`,
  };
}

function itemsOf(visitor: ConsoleVisitor, { operationId, columns, noun }: OperatorOperation, body: Members): Html {
  const items = body['items'] as Members[];
  if (items.length === 0) return html`<p class="none">Nobody and nothing was found.</p>`;
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
