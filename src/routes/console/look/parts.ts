import { type Html, html } from '#lib/html.ts';
import { labelOf } from '../catalogue/words.ts';
import type { ApiAnswer } from '../session.ts';

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
  409: 'This does not go with what is there',
  410: 'It is not kept any more',
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
