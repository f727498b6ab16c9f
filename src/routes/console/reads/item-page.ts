import { type Html, html } from '#lib/html.ts';
import { doneNotice } from '../actions/done.ts';
import { leading, offered, offersOfItem, offersOfOneself, offersOfRow, waysOn } from '../catalogue/offers.ts';
import type { Column } from '../catalogue/operations.ts';
import { calledOf, type Members } from '../catalogue/things.ts';
import { factsOf, listsOf } from '../look/facts.ts';
import { head } from '../look/parts.ts';
import { stateOf } from '../look/values.ts';
import { crumbsOf, thingIn } from './crumbs.ts';
import type { PagePart, Shown } from './shown.ts';

/** What a thing is called on its page. */
function titleOf({ operation, answer, known }: Shown): string {
  const called = calledOf(answer);
  if (called !== undefined && called === answer['name']) return called;
  return [thingIn(operation), ...(called === undefined ? Object.values(known) : [called])].join(' ');
}

/** What stands above every thing: the way up, what it is called, its state, what was just done, and what can be done. */
export const headOfThing = (
  shown: Shown,
  { title = titleOf(shown), lead }: { title?: string; lead?: Html | string },
): Html =>
  html`${head(title, { crumbs: crumbsOf(shown.operation, shown.known), state: stateOf(shown.answer), lead })}${
    shown.done !== undefined && doneNotice(shown.done, title)
  }${offered(offersOfThing(shown), 'What you can do')}`;

const offersOfThing = ({ visitor, operation, known, answer }: Shown): Html[] => [
  ...offersOfItem(visitor, operation, known, answer),
  ...(operation.operationId === 'getOwnOperator' ? offersOfOneself(visitor) : []),
];

/** The page of a thing that has no page of its own design: all that the API says of it. */
export function itemPage(shown: Shown): PagePart {
  const { visitor, operation, known, answer } = shown;
  const rowOffers = (column: Column, row: Members) =>
    offersOfRow(visitor, `${operation.path}/${column.name}`, row, known);
  return {
    title: titleOf(shown),
    body: html`${headOfThing(shown, { lead: operation.summary })}
${factsOf(visitor, operation.columns, answer)}
${leading(waysOn(visitor, operation, known))}
${listsOf(visitor, operation.columns, answer, rowOffers)}`,
  };
}

/** All that the API says of a thing, below what its page is made of: nothing that is new there is missing here. */
export const everything = ({ visitor, operation, answer }: Shown): Html =>
  html`<details class="everything"><summary>All that the API says</summary>${factsOf(visitor, operation.columns, answer)}${listsOf(visitor, operation.columns, answer, () => [])}</details>`;
