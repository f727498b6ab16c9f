import { type Html, html } from '#lib/html.ts';
import { type Column, filled, operationNamed } from '../catalogue/operations.ts';
import { addressOfItem, type Members } from '../catalogue/things.ts';
import { table } from '../look/table.ts';
import { numberText } from '../look/values.ts';
import type { Shown } from '../reads/shown.ts';
import { CONSOLE } from '../session.ts';

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

/** The page of a list with some of its items asked for; undefined where whoever looks may not. */
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

/** How many of a list there are, as its answer has it: an estimate is told as one. */
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
