import { type Html, html } from '#lib/html.ts';
import { doneNotice } from '../actions/done.ts';
import { leading, offered, offersOfItem, offersOfOneself, offersOfRow, waysOn } from '../catalogue/offers.ts';
import { type Column, filled, homeOf, namesIn, type OperatorOperation } from '../catalogue/operations.ts';
import { calledOf, type Members } from '../catalogue/things.ts';
import { labelOf, thingIn } from '../catalogue/words.ts';
import { addressOf, titleInMenu } from '../look/layout.ts';
import { head } from '../look/parts.ts';
import { factsOf, listsOf } from '../look/table.ts';
import { stateOf } from '../look/values.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import type { PagePart, Shown } from './shown.ts';

/** What a thing is called on its page. */
function titleOf({ operation, answer, known }: Shown): string {
  const inMenu = titleInMenu(operation);
  if (inMenu !== undefined && Object.keys(known).length === 0 && operation.operationId !== 'getOwnOperator')
    return inMenu;
  const called = calledOf(answer);
  if (called !== undefined && called === answer['name']) return called;
  return [thingIn(operation), ...(called === undefined ? Object.values(known) : [called])].join(' ');
}

/** What the head of a thing may say beyond its name. */
interface Head {
  title?: string;
  lead?: Html | string;
  /** Its state, where that is more than the answer says. */
  state?: Html;
  /** What of the answer has the thing’s state. */
  thing?: Members;
  /** What the forms of its actions are filled in with. */
  about?: Readonly<Record<string, string>>;
  /** Actions that begin here and stand elsewhere. */
  also?: readonly Html[];
  /** Those that stand last, since they cannot be undone. */
  last?: readonly Html[];
}

/** What stands above every thing: the way up, what it is called, its state, what was just done, and what can be done. */
export function headOfThing(shown: Shown, given: Head): Html {
  const { visitor, operation, known, answer, done } = shown;
  const { title = titleOf(shown), lead, thing = answer, state = stateOf(thing), about, also = [], last = [] } = given;
  const offers = [
    ...also,
    ...offersOfItem(visitor, operation, known, thing, about),
    ...(operation.operationId === 'getOwnOperator' ? offersOfOneself(visitor) : []),
    ...last,
  ];
  return html`${head(title, { crumbs: crumbsOf(visitor, operation, known), state, lead })}${
    done !== undefined && doneNotice({ currency: currencyIn(answer), ...done }, title)
  }${offered(offers, 'What you can do')}`;
}

const currencyIn = ({ currency }: Members): string | undefined => (typeof currency === 'string' ? currency : undefined);

/** The page of a thing that has no page of its own design: all that the API says of it. */
export function itemPage(shown: Shown, given: Head = { lead: shown.operation.summary }): PagePart {
  const { visitor, operation, known, answer } = shown;
  const rowOffers = (column: Column, row: Members) =>
    offersOfRow(visitor, `${operation.path}/${column.name}`, row, known);
  return {
    title: titleOf(shown),
    body: html`${headOfThing(shown, given)}
${factsOf(visitor, operation.columns, answer)}
${leading(waysOn(visitor, operation, known))}
${listsOf(visitor, operation.columns, answer, rowOffers)}`,
  };
}

/** All that the API says of a thing, below what its page is made of: nothing that is new there is missing here. */
export const everything = ({ visitor, operation, answer }: Shown): Html =>
  html`<details class="everything"><summary>All that the API says</summary>${factsOf(visitor, operation.columns, answer)}${listsOf(visitor, operation.columns, answer, () => [])}</details>`;

/** The way up: to the list that a thing stands in, or to the thing that it is of. */
export function crumbsOf(
  { may }: ConsoleVisitor,
  operation: OperatorOperation,
  known: Readonly<Record<string, string>> = {},
): Html {
  const home = homeOf(operation);
  const there = home && filled(home.path, known);
  if (home === undefined || there === undefined || !may(home)) return html`<a href="${CONSOLE}">Overview</a>`;
  const isThing = namesIn(home.path).length > 0;
  return html`<a href="${isThing ? `${CONSOLE}${there}` : addressOf(home)}">${isThing ? thingIn(home) : (titleInMenu(home) ?? labelOf(home.noun))}</a>`;
}
