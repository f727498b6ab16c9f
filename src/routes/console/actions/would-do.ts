import { type Html, html } from '#lib/html.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { factsOf, listsOf } from '../look/facts.ts';
import { numberText } from '../look/values.ts';
import type { ConsoleVisitor } from '../session.ts';

interface Replay {
  matched: number;
  sample: string[];
}

/** Deliveries that one call sends again, at most. */
const REPLAYED_MAX = 1000;

/** What an operation that was asked first would do. */
export function wouldDo(visitor: ConsoleVisitor, { operationId, columns }: OperatorOperation, answer: Members): Html {
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
