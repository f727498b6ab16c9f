import { type Html, html, name as isolated, pill } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import type { Column } from '../catalogue/operations.ts';
import { type Members, whereTo } from '../catalogue/things.ts';
import { valueInWords } from '../catalogue/words.ts';
import type { ConsoleVisitor } from '../session.ts';

const good =
  /^(active|approved|booked|current|delivered|done|enabled|executed|matched|ok|paid|resolved|succeeded|successful|won)$/i;
const bad =
  /^(amount_differs|blocked|cancelled|day_differs|different|disabled|duplicate|erased|expired|failed|frozen|lost|ours_alone|paused|pnc|pnd|rejected|reversed|revoked|suspended|theirs_alone|unknown)$/i;
/** Booleans that say whether all is well. */
const VERDICTS = /(^|\.)(ok|ties|answers)$/;
const STATES = /^(status|state|outcome|paytagStatus)$/i;

const clock = lazy(
  () =>
    new Intl.DateTimeFormat('en-NG', {
      timeZone: 'Africa/Lagos',
      day: '2-digit',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
);
const dayOfYear = lazy(
  () =>
    new Intl.DateTimeFormat('en-NG', {
      timeZone: 'Africa/Lagos',
      day: '2-digit',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
);
const amounts = lazy(() => new Intl.NumberFormat('en-NG', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const numbers = lazy(() => new Intl.NumberFormat('en-NG'));

/** A moment as a clock in Lagos shows it, to the second. */
const momentText = (at: Date): string => clock().format(at);
export const numberText = (value: number): string => numbers().format(value);
/** An amount, with the sign of its currency where it is known. */
export const moneyText = (value: number, currency?: unknown): string =>
  `${value < 0 ? '−' : ''}${currency === 'NGN' ? '₦' : ''}${amounts().format(Math.abs(value))}${currency === 'FP' ? ' FP' : ''}`;

/** A moment of an answer. */
export const moment = (iso: string): Html => html`<time datetime="${iso}">${momentText(new Date(iso))}</time>`;

const DAY_MS = 24 * 60 * 60 * 1000;
const HALF_A_YEAR_MS = 182 * DAY_MS;

/** The same in a row: without the year where it is obvious. */
function momentInRow(iso: string, now: Date): Html {
  const at = new Date(iso);
  if (Math.abs(at.getTime() - now.getTime()) > HALF_A_YEAR_MS) return moment(iso);
  return html`<time datetime="${iso}" title="${momentText(at)}">${dayOfYear().format(at)}</time>`;
}

/** A state as a coloured pill. */
export const statePill = (state: string): Html =>
  pill(good.test(state) ? 'good' : bad.test(state) ? 'bad' : 'wait', isolated(valueInWords(state)));

/** The state of a thing, where it has one. */
export function stateOf(thing: Members): Html | undefined {
  const state = ['status', 'state', 'Status'].map((name) => thing[name]).find((value) => typeof value === 'string');
  return typeof state === 'string' ? statePill(state) : undefined;
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Values that are compared, not read: ids, keys, digests and addresses. */
const isCode = (value: string): boolean => /^\S{24,}$/.test(value) && !/^(?:[A-Z_]+|[a-z_]+)$/.test(value);
/** Members whose values the API does not list, and are its words all the same. */
const KINDS = /(^|\.)(type|kind|account)$/i;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

type Shape = Pick<Column, 'name' | 'kind' | 'values'>;

/**
 * A value of an answer, as it is read best.
 *
 * @param visitor for whom a link is made where it names something that has a page
 */
export function shown(visitor: ConsoleVisitor | undefined, column: Shape, value: unknown, of: Members): Html {
  if (value === undefined || value === null || value === '') return html`–`;
  if (typeof value === 'boolean') {
    const text = value ? 'yes' : 'no';
    return VERDICTS.test(column.name) ? pill(value ? 'good' : 'bad', text) : html`${text}`;
  }
  if (typeof value === 'number') {
    if (column.kind === 'money') return html`${moneyText(value, currencyOf(column.name, of))}`;
    return linked(
      visitor,
      column.name,
      value,
      of,
      html`${/id$|year/i.test(column.name) ? String(value) : numberText(value)}`,
    );
  }
  if (isMoment(value)) return moment(value);
  if (typeof value === 'string') {
    if (STATES.test(column.name.split('.').at(-1) ?? '')) return statePill(value);
    const isWord = column.values?.includes(value) === true || KINDS.test(column.name);
    if (isWord && column.name !== 'event') return html`${valueInWords(value)}`;
    const called = visitor?.names.get(value);
    if (called !== undefined)
      return linked(visitor, column.name, value, of, html`<bdi title="${value}">${called}</bdi>`);
    const text = isCode(value) ? html`<code>${value}</code>` : html`<bdi>${value}</bdi>`;
    return linked(visitor, column.name, value, of, text);
  }
  return asJson(value);
}

/** The currency next to an amount, or next to the object that holds the amount. */
function currencyOf(name: string, of: Members): unknown {
  const holder = Object(memberOf(of, name.split('.').slice(0, -1).join('.'))) as Members;
  return holder['currency'] ?? holder['Currency'] ?? of['currency'] ?? of['Currency'];
}

function linked(visitor: ConsoleVisitor | undefined, name: string, value: unknown, of: Members, text: Html): Html {
  const address = visitor && whereTo(visitor, name, value, of);
  return address === undefined ? text : html`<a href="${address}">${text}</a>`;
}

/** The same in a row: an id is shortened, and an object shows its members. */
export const shownInRow = (visitor: ConsoleVisitor, column: Shape, value: unknown, of: Members): Html => {
  if (typeof value === 'string' && visitor.names.has(value)) return shown(visitor, column, value, of);
  if (isMoment(value)) return momentInRow(value, visitor.now);
  if (typeof value === 'string' && UUID.test(value)) {
    return linked(visitor, column.name, value, of, html`<code title="${value}">…${value.slice(-8)}</code>`);
  }
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) {
    return html`<span>${value.map((one, at) => html`${at > 0 && ', '}${shownInRow(visitor, column, one, of)}`)}</span>`;
  }
  if (typeof value === 'string' && isCode(value)) {
    return linked(visitor, column.name, value, of, html`<code class="long" title="${value}">${value}</code>`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isEmpty(value)) {
    return shown(visitor, column, value, of);
  }
  const pairs = Object.entries(value as Members).map(
    ([name, member]) =>
      html`<li><small>${name}</small> ${typeof member === 'string' ? member : JSON.stringify(member)}</li>`,
  );
  return html`<ul class="pairs">${pairs}</ul>`;
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** What has no shape that we know, as JSON. */
export const asJson = (value: unknown): Html =>
  isEmpty(value) ? html`–` : html`<pre>${JSON.stringify(value, null, 2)}</pre>`;

/** A member of an answer by its name in the list of columns: `sender.name`. */
export function memberOf(item: Members, name: string): unknown {
  let at: unknown = item;
  for (const part of name.split('.').filter((one) => one !== '')) at = Object(at)[part] as unknown;
  return at;
}
