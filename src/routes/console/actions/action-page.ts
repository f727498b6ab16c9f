import type { FastifyRequest } from 'fastify';
import { type Html, html } from '#lib/html.ts';
import { randomToken } from '#lib/random.ts';
import { nameOfAction } from '../catalogue/offers.ts';
import { filled, homeOf, namesIn, type OperatorOperation, type Parameter } from '../catalogue/operations.ts';
import { addressOfThing, calledOf, type Members } from '../catalogue/things.ts';
import { labelOf, thingIn, valueInWords } from '../catalogue/words.ts';
import { addressOf, type ConsolePage, titleInMenu } from '../look/layout.ts';
import { failureIn, head, refusal } from '../look/parts.ts';
import { factsOf, listsOf } from '../look/table.ts';
import { moneyText, numberText, stateOf } from '../look/values.ts';
import { learnWhom, whatWillHappen } from '../pages/approval.ts';
import { asking } from '../reads/shown.ts';
import { type ApiAnswer, askApi, CONSOLE, type ConsoleVisitor, visitorOf } from '../session.ts';
import {
  asksFor,
  countsFirst,
  type Fields,
  fieldsOf,
  fileOf,
  first,
  ITEMS,
  kindOf,
  membersOf,
  nameOfMember,
} from './action-form.ts';

interface Replay {
  matched: number;
  sample: string[];
}

/** Deliveries that one call sends again, at most. */
const REPLAYED_MAX = 1000;

/** What an operation that was asked first would do. */
function wouldDo(visitor: ConsoleVisitor, { operationId, columns }: OperatorOperation, answer: Members): Html {
  if (operationId === 'replayDeliveries') return wouldReplay(visitor, answer as unknown as Replay);
  return html`<div class="panel" role="status"><h2>This is what it would do</h2><p>Nothing was done yet.</p></div>${factsOf(visitor, columns, answer)}${listsOf(visitor, columns, answer, () => [])}`;
}

/** How many deliveries, and which are the first of them. */
function wouldReplay(visitor: ConsoleVisitor, { matched, sample }: Replay): Html {
  const how = matched === 1 ? '1 delivery matches' : `${numberText(matched)} deliveries match`;
  const most = matched > REPLAYED_MAX ? `, of which ${numberText(REPLAYED_MAX)} are sent again at once` : '';
  const links = sample.map((id) => {
    const there = addressOfThing(visitor, 'getDelivery', id);
    const text = html`<code>${id}</code>`;
    return html`<li>${there === undefined ? text : html`<a href="${there}">${text}</a>`}</li>`;
  });
  return html`<div class="panel" role="status"><h2>${how}${most}</h2><p>Nothing was done yet.</p>${
    links.length > 0 &&
    html`<details><summary>The first ${links.length === 1 ? 'of them' : `${links.length} of them`}</summary><ul>${links}</ul></details>`
  }</div>`;
}

/** Before the name of a field: a part of the path. */
export const PATH_OF = 'path:';

/** The field that says which request this is, however often the form is sent. */
export const KEY = 'key';

/** The field that says what was counted. */
export const COUNTED = 'counted';

/** The box that says that it cannot be undone. */
export const MEANT = 'meant';

interface Asked {
  operation: OperatorOperation;
  fields: Fields;
  /** What the API said to it; undefined at first. */
  refused?: ApiAnswer;
  /** What it would do, of an operation that is asked first; and by what it is known that it is still the same. */
  counted?: { answer: Members; of: string };
  /** Said in place of what the API would say. */
  objection?: string | undefined;
  /** What it is done to. */
  about?: Html | undefined;
}

/** What is said of a field, by its name; what names no field of the form is not among it. */
function faultsIn(refused: ApiAnswer | undefined, names: readonly string[]): Record<string, string> {
  if (refused === undefined || refused.status !== 400) return {};
  return Object.fromEntries(
    failureIn(refused).errors.flatMap((error) => {
      const [, name = '', text = ''] = /^([\w.]+): (.+)$/s.exec(error) ?? [];
      return names.includes(name) ? [[name, text]] : [];
    }),
  );
}

/** What the fields of a member are called: those of a list of objects are called after each of them. */
const namesOf = ({ name: list, members }: Parameter): string[] =>
  members === undefined
    ? [list]
    : Array.from({ length: ITEMS }, (_, at) => members.map(({ name }) => nameOfMember(list, at, name))).flat();

/** The page with the form of an action, also after it was refused: then it says why, and keeps what was typed. */
export function actionPage(
  visitor: ConsoleVisitor,
  { operation, fields, refused, counted, objection, about = aboutWhat(operation, fields) }: Asked,
): ConsolePage {
  const kind = kindOf(operation, first(fields[operation.kinds?.by ?? '']));
  const members = membersOf(operation, kind).filter((one) => asksFor(visitor, operation, one));
  const wrong = faultsIn(refused, members.flatMap(namesOf));
  const name = nameOfAction(operation);
  const { summary, description, irreversible, path } = operation;
  const isFile = fileOf(operation) !== undefined;
  const home = homeOf(operation);
  const asksWhetherMeant = irreversible !== undefined && (!countsFirst(operation) || counted !== undefined);
  return {
    title: name,
    at: home === undefined ? '' : addressOf(home),
    body: html`${head(name, { crumbs: crumbs(visitor, operation, fields), lead: `${summary}.` })}
${about}${description !== undefined && html`<p class="note">${description}</p>`}
${refused !== undefined && refusal(refused)}${objection !== undefined && html`<div class="panel alert" role="alert"><h2>Nothing was done</h2><p>${objection}</p></div>`}
${counted !== undefined && wouldDo(visitor, operation, counted.answer)}
${operation.kinds !== undefined && kinds(operation, kind, fields)}
<form class="form" method="post" action="${CONSOLE}/actions/${operation.operationId}"${isFile && html` enctype="multipart/form-data"`}>
<input type="hidden" name="form" value="${visitor.seal}"><input type="hidden" name="${KEY}" value="${keyFor(fields, refused)}">
${operation.kinds !== undefined && html`<input type="hidden" name="${operation.kinds.by}" value="${kind ?? ''}">`}
${namesIn(path).map((part) => pathField(part, first(fields[`${PATH_OF}${part}`])))}
${fieldsOf(operation, members, { fields, wrong, kind })}
${counted !== undefined && html`<input type="hidden" name="${COUNTED}" value="${counted.of}">`}
${asksWhetherMeant && meant(irreversible ?? '')}
<div class="buttons"><button class="${asksWhetherMeant ? 'grave' : 'main'}">${countsFirst(operation) && counted === undefined ? 'Count first' : name}</button></div>
</form>`,
  };
}

const OUTCOME_UNKNOWN: ReadonlySet<string | undefined> = new Set([
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_ANSWER_LOST',
]);

/**
 * The same request keeps the same key. A request that was refused for its content gets a new key; one that still runs, as after
 * a double click, or whose answer was lost, keeps the key, because its outcome is unknown.
 */
function keyFor(fields: Fields, refused: ApiAnswer | undefined): string {
  const isUnknown = refused !== undefined && OUTCOME_UNKNOWN.has(failureIn(refused).errorCode);
  const isAnother = refused !== undefined && refused.status < 500 && !isUnknown;
  return isAnother ? randomToken() : first(fields[KEY]) || randomToken();
}

/** A part of the path that is known goes along; one that is not is asked for. */
function pathField(name: string, value: string): Html {
  const field = `${PATH_OF}${name}`;
  if (value !== '') return html`<input type="hidden" name="${field}" value="${value}">`;
  return html`<div class="field"><label for="p-${name}">${labelOf(name)}</label><input id="p-${name}" name="${field}" required autocomplete="off" spellcheck="false"></div>`;
}

function aboutWhat({ path }: OperatorOperation, fields: Fields): Html {
  const known = namesIn(path)
    .map((name) => first(fields[`${PATH_OF}${name}`]))
    .filter((value) => value !== '');
  return known.length === 0
    ? html``
    : html`<p>Of ${known.map((value, at) => html`${at > 0 && ', '}<code>${value}</code>`)}</p>`;
}

/** The way back: to the thing that it is done to, or to its list. */
function crumbs({ may }: ConsoleVisitor, operation: OperatorOperation, fields: Fields): Html {
  const home = homeOf(operation);
  if (home === undefined || !may(home)) return html`<a href="${CONSOLE}/operations">All operations</a>`;
  const there = filled(home.path, pathParameters(operation, fields));
  return html`<a href="${there === undefined ? addressOf(home) : `${CONSOLE}${there}`}">${there === undefined || namesIn(home.path).length === 0 ? (titleInMenu(home) ?? labelOf(home.noun)) : thingIn(home)}</a>`;
}

/** The parts of the path that a form holds. */
export const pathParameters = ({ path }: OperatorOperation, fields: Fields): Record<string, string> =>
  Object.fromEntries(namesIn(path).map((name) => [name, first(fields[`${PATH_OF}${name}`]).trim()]));

const meant = (why: string): Html =>
  html`<div class="panel alert"><h2>This cannot be undone</h2><p>${why}</p><label class="choice"><input type="checkbox" name="${MEANT}" value="yes" required autocomplete="off"> I mean it</label></div>`;

/** The shapes that a body may have, each with a form of its own. */
function kinds(
  { operationId, kinds: { by, values } = { by: '', values: [] }, path }: OperatorOperation,
  chosen: string | undefined,
  fields: Fields,
): Html {
  const known = namesIn(path).map((name): [string, string] => [name, first(fields[`${PATH_OF}${name}`])]);
  const links = values.map((value) => {
    const query = new URLSearchParams([...known.filter(([, given]) => given !== ''), [by, value]]).toString();
    return html`<li><a href="${CONSOLE}/actions/${operationId}?${query}"${value === chosen && html` aria-current="true"`}>${valueInWords(value)}</a></li>`;
  });
  return html`<ul class="kinds" aria-label="${labelOf(by)}">${links}</ul>`;
}

/** The thing that an action changes, as its own page names it, so that the operator can check it before sending the form. */
export async function aboutOf(
  request: FastifyRequest,
  operation: OperatorOperation,
  fields: Fields,
): Promise<Html | undefined> {
  const home = homeOf(operation);
  const path = home && filled(home.path, pathParameters(operation, fields));
  const visitor = visitorOf(request);
  if (home === undefined || path === undefined || namesIn(home.path).length === 0 || !visitor.may(home))
    return undefined;
  const { status, body } = await askApi(request, { method: 'GET', path });
  if (status !== 200) return undefined;
  const thing = Object(body) as Members;
  const link = (text: string): Html => html`<a href="${CONSOLE}${path}">${text}</a>`;
  switch (home.operationId) {
    case 'getApproval':
      await learnWhom(visitor, asking(request), [thing]);
      return html`<div class="panel"><h2>${link('What will happen')}</h2><p>${whatWillHappen(visitor, thing)}</p></div>`;
    case 'getTransaction': {
      const { Reference, Type, Amount, Currency, ...of } = thing['transaction'] as Members;
      return line(
        'Transaction',
        link(String(Reference)),
        of,
        html`${valueInWords(String(Type))} of ${moneyText(Number(Amount), Currency)}`,
      );
    }
    default:
      return line(
        thingIn(home),
        link(calledOf(thing) ?? Object.values(pathParameters(operation, fields))[0] ?? ''),
        thing,
      );
  }
}

const line = (what: string, called: Html, thing: Members, small?: Html): Html =>
  html`<p class="about">${what} ${called} ${stateOf(thing)}${small !== undefined && html` <span class="note">${small}</span>`}</p>`;
