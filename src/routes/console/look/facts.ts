import { fact, type Html, html } from '#lib/html.ts';
import { withCurrency } from '../catalogue/currencies.ts';
import type { Column } from '../catalogue/operations.ts';
import type { Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import type { ConsoleVisitor } from '../session.ts';
import { table } from './table.ts';
import { asJson, memberOf, shown } from './values.ts';

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !isList(value);

/** The single values of an answer; nothing where there are none. */
export function factsOf(visitor: ConsoleVisitor, columns: readonly Column[], answer: Members): Html {
  const facts = columns.flatMap((column) => {
    const value = memberOf(answer, column.name);
    const itsId = memberOf(answer, column.name.replace(/Name$/, 'Id'));
    if (itsId !== value && typeof itsId === 'string' && visitor.names.has(itsId)) return []; // it is called so there
    if (isAbsent(value) || isList(value) || isObject(value)) return [];
    const id = typeof value === 'string' && visitor.names.has(value) ? html`<code>${value}</code>` : undefined;
    return [fact(labelOf(column.name), shown(visitor, column, value, answer), id)];
  });
  return facts.length === 0 ? html`` : html`<dl class="facts">${facts}</dl>`;
}

/** The lists of an answer, and what has members that nobody described, each in a section. */
export function listsOf(
  visitor: ConsoleVisitor,
  columns: readonly Column[],
  answer: Members,
  offersOf: (column: Column, row: Members) => readonly Html[],
): Html {
  const sections = columns.flatMap((column) => {
    const value = memberOf(answer, column.name);
    if (isList(value)) {
      const items = value.map((item) => (isObject(item) ? withCurrency(answer['currency'], item) : item));
      return [section(column, listOf(visitor, column, items, offersOf))];
    }
    return isObject(value) ? [section(column, asJson(value))] : [];
  });
  return html`${sections}`;
}

const section = ({ name, description }: Column, what: Html): Html =>
  html`<section><h2>${labelOf(name)}</h2>${description !== undefined && html`<p class="hint">${description}</p>`}${what}</section>`;

function listOf(
  visitor: ConsoleVisitor,
  column: Column,
  items: readonly unknown[],
  offersOf: (column: Column, row: Members) => readonly Html[],
): Html {
  if (items.length === 0) return html`<p class="note">None.</p>`;
  if (!items.every(isObject))
    return html`<ul>${items.map((item) => html`<li>${isObject(item) ? asJson(item) : String(item)}</li>`)}</ul>`;
  const columns = column.columns ?? Object.keys(items[0] ?? {}).map((name) => ({ name, kind: 'text' as const }));
  return table(visitor, { columns, items, label: labelOf(column.name), offersOf: (row) => offersOf(column, row) });
}
