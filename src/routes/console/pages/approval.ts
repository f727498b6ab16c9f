import { fact, type Html, html } from '#lib/html.ts';
import { currencyUnlessSaid } from '../catalogue/currencies.ts';
import { nameOfAction, offered, offersOfItem } from '../catalogue/offers.ts';
import { operationNamed } from '../catalogue/operations.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { factsOf } from '../look/facts.ts';
import { moment } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import type { ConsoleVisitor } from '../session.ts';
import { chosenOf } from './sections.ts';
import { learnWhom, operationOf, whatWillHappen } from './what-will-happen.ts';

/** Requests whose pages are asked for at once; the list has them all. */
const SHOWN_MAX = 20;
const ENDED = ['decidedBy.name', 'decidedAt', 'endedAt', 'errorCode', 'id'];

/** A request that waits for another operator: what will happen, who asked for it and why, and until when it can be decided. */
export async function approvalPage(shown: Shown): Promise<PagePart> {
  const { visitor, operation, answer } = shown;
  await learnWhom(visitor, shown.ask, [answer]);
  const title = nameOf(answer);
  return {
    title,
    body: html`${headOfThing(shown, { title, lead: 'A request that another operator decides' })}
<div class="panel"><h2>${answer['status'] === 'PENDING' ? 'What will happen' : 'What was asked for'}</h2><p>${whatWillHappen(visitor, answer)}</p></div>
${isOwn(visitor, answer) && answer['status'] === 'PENDING' && html`<p class="note">You asked for this: somebody else decides it.</p>`}
${asked(answer)}
${factsOf(visitor, chosenOf(operation.columns, ENDED), answer)}
${everything(shown)}`,
  };
}

/** What waits, each with what will happen; and below it all that was ever asked for. */
export async function approvalsPage(shown: Shown): Promise<PagePart> {
  const items = shown.answer['items'] as Members[];
  const waiting = items.filter(({ status }) => status === 'PENDING').slice(0, SHOWN_MAX);
  const whole = await Promise.all(waiting.map(async ({ id }) => shown.ask('getApproval', { id: String(id) })));
  const found = whole.filter((one) => one !== undefined);
  await learnWhom(shown.visitor, shown.ask, found);
  const currencies = new Map(found.map((one) => [one['id'], currencyAsked(one)]));
  const cards = found.map((one) => card(shown, one));
  const inWords = {
    ...shown.answer,
    items: items.map((item) => ({ ...item, operation: nameOf(item), currency: currencies.get(item['id']) })),
  };
  const before = cards.length === 0 ? html`` : html`<div class="cards" id="waiting">${cards}</div>`;
  return listPage({ ...shown, answer: inWords }, { before });
}

function card({ visitor }: Shown, approval: Members): Html {
  const id = String(approval['id']);
  const operation = operationNamed('getApproval');
  const address = addressOfThing(visitor, 'getApproval', id) ?? '';
  const offers = operation === undefined ? [] : offersOfItem(visitor, operation, { id }, approval);
  return html`<section><h2><a href="${address}"><bdi>${nameOf(approval)}</bdi></a></h2><p>${whatWillHappen(visitor, approval)}</p>${asked(approval)}${
    isOwn(visitor, approval)
      ? html`<p class="note">You asked for this: somebody else decides it.</p>`
      : offered(offers, 'Decide')
  }</section>
`;
}

const nameOf = (approval: Members): string => {
  const operation = operationOf(approval as { operation: string });
  return operation === undefined ? String(approval['operation']) : nameOfAction(operation);
};

/** The currency of what a request moves, where whoever looks is told what it asks for. */
function currencyAsked(approval: Members): unknown {
  const operation = operationOf(approval as { operation: string });
  const { body } = Object(approval['request']) as { body?: Members };
  return body?.['currency'] ?? (body && operation && currencyUnlessSaid(operation));
}

const isOwn = ({ operator }: ConsoleVisitor, { requestedBy }: Members): boolean =>
  (requestedBy as { id: string }).id === operator.id;

function asked(approval: Members): Html {
  const { requestedBy, createdAt, expiresAt, request } = approval as {
    requestedBy: { name: string };
    createdAt: string;
    expiresAt: string;
    request?: { body?: { reason?: string } };
  };
  const reason = request?.body?.reason;
  return html`<dl class="facts">${fact('Asked for by', html`<bdi>${requestedBy.name}</bdi>`)}${fact('On', moment(createdAt))}${fact('Until', moment(expiresAt))}${
    reason !== undefined && fact('Why', html`<bdi>${reason}</bdi>`)
  }</dl>`;
}
