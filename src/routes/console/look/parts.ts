import { type Html, html } from '#lib/html.ts';
import { type Column, filled, operationNamed } from '../catalogue/operations.ts';
import { addressOfItem, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import type { Shown } from '../reads/shown.ts';
import { type ApiAnswer, CONSOLE } from '../session.ts';
import { table } from './table.ts';
import { numberText } from './values.ts';

/** The head of a page. */
export const head = (
  title: string,
  {
    crumbs,
    state,
    lead,
  }: { crumbs?: Html | undefined; state?: Html | undefined; lead?: Html | string | undefined } = {},
): Html =>
  html`${crumbs !== undefined && html`<p class="crumbs">${crumbs}</p>`}<div class="head"><h1><bdi>${title}</bdi></h1>${state}</div>${lead !== undefined && html`<p class="lead">${lead}</p>`}`;

interface Failed {
  message: string;
  errorCode: string;
  errors: readonly string[];
  requestId: string;
}

/** What a refusal says. */
export function failureIn({ body, status, headers }: ApiAnswer): Failed {
  const { message, errorCode, errors, requestId } = Object(body) as Partial<Failed>;
  const said = message ?? `the server answered ${status}`;
  return {
    message: said,
    errorCode: errorCode ?? 'INTERNAL_ERROR',
    errors: errors ?? [said],
    requestId: requestId ?? String(headers['x-request-id'] ?? ''),
  };
}

const titles: Readonly<Record<number, string>> = {
  403: 'Your role may not do this',
  404: 'There is no such thing',
  409: 'This conflicts with the current state',
  410: 'It was deleted',
  422: 'A money rule forbids this',
  429: 'Too many at once',
  502: 'A provider does not answer',
  503: 'The server is busy',
};

export const titleOfRefusal = (status: number): string =>
  titles[status] ?? (status >= 500 ? 'Something went wrong on our side' : 'This was refused');

/**
 * A refusal in words, with what a colleague or the log finds it by.
 *
 * @param isPage whether the page is this refusal, and its title says so
 */
export function refusal(answer: ApiAnswer, { isPage = false } = {}): Html {
  const { message, errorCode, errors, requestId } = failureIn(answer);
  const more = errors.filter((one) => one !== message);
  return html`<div class="panel alert" role="alert">${!isPage && html`<h2>${titleOfRefusal(answer.status)}</h2>`}<p><bdi>${sentence(ofField(message))}</bdi></p>${
    more.length > 0 && html`<ul>${more.map((one) => html`<li>${ofField(one)}</li>`)}</ul>`
  }<p class="note"><bdi>${errorCode}</bdi>${answer.status >= 500 && html` · request <code>${requestId}</code>`}</p></div>`;
}

/** What the API says of a member, of the field that stands for it. */
const ofField = (message: string): string =>
  message.replace(/^([a-z][\w.]*): /i, (_, name: string) => `${labelOf(name)}: `);

/** A message of the API as a sentence. */
export const sentence = (message: string): string =>
  `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

interface Figure {
  label: string;
  what: Html | string;
  /** Where what it counts is listed. */
  address?: string | undefined;
  /** A note below the number. */
  small?: Html | string | undefined;
  look?: 'bad' | 'wait' | undefined;
}

/** The numbers that somebody looks at a thing for; each leads to what it counts. */
export const figures = (shown: readonly Figure[]): Html =>
  html`<ul class="tiles figures">${shown.map((one) => html`<li>${figure(one)}</li>`)}</ul>`;

function figure({ label, what, address, small, look }: Figure): Html {
  const inside = html`<strong>${what}</strong><span>${label}</span>${small !== undefined && html`<small>${small}</small>`}`;
  const kind = look ?? 'plain';
  return address === undefined
    ? html`<div class="${kind}">${inside}</div>`
    : html`<a class="${kind}" href="${address}">${inside}</a>`;
}

/** A part of a page, with the way to more of it. */
export const section = (title: Html | string, what: Html, more?: { address: string; label: string }): Html =>
  html`<section><h2>${title}</h2>${what}${more !== undefined && html`<p class="pages"><a href="${more.address}">${more.label}</a></p>`}</section>`;

export const none = (text: string): Html => html`<p class="note">${text}</p>`;

/** The columns of these names, in this order. */
export const chosenOf = (columns: readonly Column[] = [], names: readonly string[]): Column[] =>
  names.flatMap((name) => columns.find((column) => column.name === name) ?? []);

/** What the answer describes of the items of a list in it. */
export const columnsIn = ({ operation }: Shown, member: string): readonly Column[] =>
  operation.columns.find(({ name }) => name === member)?.columns ?? [];

/** The address of a filtered list; undefined if the operator may not see it. */
export function addressOfList(
  { visitor }: Shown,
  operationId: string,
  query: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>> = {},
): string | undefined {
  const operation = operationNamed(operationId);
  const path = operation && visitor.may(operation) ? filled(operation.path, known) : undefined;
  const asked = new URLSearchParams(query).toString();
  return path === undefined ? undefined : `${CONSOLE}${path}${asked === '' ? '' : `?${asked}`}`;
}

/** The count of a list, as its answer has it; an estimate is marked as one. */
export function countIn(answer: Members | undefined): { text: string; isNone: boolean } | undefined {
  const { count, countIsExact } = (answer ?? {}) as { count?: number; countIsExact?: boolean };
  if (count === undefined) return undefined;
  return { text: `${countIsExact === false ? 'over ' : ''}${numberText(count)}`, isNone: count === 0 };
}

/** Some items of a list, each of which leads to its page. */
export function itemsOf(
  { visitor }: Shown,
  operationId: string,
  given: { items: readonly Members[]; names: readonly string[]; label: string; offersOf?: (item: Members) => Html[] },
): Html {
  const operation = operationNamed(operationId);
  return table(visitor, {
    ...given,
    columns: chosenOf(operation?.columns, given.names),
    addressOf: (item) => operation && addressOfItem(visitor, operation, item),
  });
}
