import { type Html, html } from '#lib/html.ts';
import { type OperatorOperation, type Parameter, parametersIn } from '../catalogue/operations.ts';
import { labelOf, valueInWords } from '../catalogue/words.ts';
import { CONSOLE } from '../session.ts';

export type Query = Readonly<Record<string, string>>;

/** Parameters of paging, which are not filters. */
const PAGING = new Set(['limit', 'offset', 'cursor', 'format']);

const filtersOf = (operation: OperatorOperation): Parameter[] =>
  parametersIn(operation, 'query').filter(({ name }) => !PAGING.has(name));

/** What stands in the query, once and not empty. */
export function queryOf(given: unknown): Record<string, string> {
  const pairs = Object.entries(Object(given) as Record<string, unknown>).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** A moment that was typed, by a clock in Lagos, as the API takes it; what is one already stays. */
export const momentAsked = (text: string): string =>
  LOCAL.test(text) ? `${text.length === 16 ? `${text}:00` : text}+01:00` : text;

/** A moment as a field takes it: by a clock in Lagos. */
export function momentTyped(text: string): string {
  const at = LOCAL.test(text) ? undefined : Date.parse(text);
  if (at === undefined || Number.isNaN(at)) return text;
  const inLagos = new Date(at + 60 * 60 * 1000);
  return Number.isNaN(inLagos.getTime()) ? text : inLagos.toISOString().slice(0, 16);
}

/** The query that the API is asked. */
export function askedQuery(operation: OperatorOperation, query: Query): string {
  const known = new Map(parametersIn(operation, 'query').map((one) => [one.name, one]));
  const given = Object.entries(query).filter(([name]) => known.has(name) || name === 'format');
  const asked = given.map(([name, value]): [string, string] => [
    name,
    known.get(name)?.kind === 'moment' ? momentAsked(value) : value,
  ]);
  const text = new URLSearchParams(asked).toString();
  return text === '' ? '' : `?${text}`;
}

/** The same page with something of its query changed; undefined takes it out. */
export function addressWith(path: string, query: Query, changed: Readonly<Record<string, string | undefined>>): string {
  const merged = Object.entries({ ...query, ...changed }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const text = new URLSearchParams(merged).toString();
  return `${CONSOLE}${path}${text === '' ? '' : `?${text}`}`;
}

/** The form that finds some of a list; open while it does. */
export function filterForm(operation: OperatorOperation, path: string, query: Query): Html {
  const filters = filtersOf(operation);
  if (filters.length === 0) return html``;
  const isFiltered = filters.some(({ name }) => query[name] !== undefined);
  return html`<details class="filter"${isFiltered && html` open`}><summary>${isFiltered ? 'Found by' : 'Find some of them'}</summary>
<form method="get" action="${CONSOLE}${path}" hx-get="${CONSOLE}${path}" hx-target="#found" hx-select="#found" hx-swap="outerHTML" hx-push-url="true">
${filters.map((parameter) => filterField(parameter, query[parameter.name]))}
<div class="buttons"><button class="main">Find</button></div>
</form>${isFiltered && html`<p class="pages"><a href="${CONSOLE}${path}">Show all</a></p>`}</details>`;
}

function filterField(parameter: Parameter, value = ''): Html {
  const { name, kind, values, description } = parameter;
  const id = `by-${name}`;
  const hint = description !== undefined && html`<p class="hint" id="${id}-hint">${description}</p>`;
  const described = description !== undefined && html` aria-describedby="${id}-hint"`;
  return html`<div class="field"><label for="${id}">${labelOf(name)}</label>${
    values !== undefined || kind === 'boolean'
      ? html`<select id="${id}" name="${name}"${described}><option value="">any</option>${(
          values ?? ['true', 'false']
        ).map(
          (one) =>
            html`<option value="${one}"${one === value && html` selected`}>${values === undefined ? (one === 'true' ? 'yes' : 'no') : valueInWords(one)}</option>`,
        )}</select>`
      : html`<input id="${id}" name="${name}" value="${kind === 'moment' ? momentTyped(value) : value}"${typeOf(parameter)}${described} autocomplete="off" spellcheck="false">`
  }${hint}</div>`;
}

/** How a field is typed into. */
export const typeOf = ({ kind }: Pick<Parameter, 'kind'>): Html =>
  kind === 'moment'
    ? html` type="datetime-local"`
    : kind === 'day'
      ? html` type="date"`
      : kind === 'money'
        ? html` inputmode="decimal"`
        : kind === 'integer'
          ? html` inputmode="numeric"`
          : html``;
