import { type Html, html } from '#lib/html.ts';
import { doneNotice } from '../actions/done.ts';
import { whyEmpty } from '../catalogue/empty.ts';
import { offered, offersOfList, offersOfRow, refundOf } from '../catalogue/offers.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import { addressOfItem, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { factsOf, listsOf } from '../look/facts.ts';
import { titleInMenu } from '../look/menu.ts';
import { head } from '../look/parts.ts';
import { columnsShown, type TableColumn, table } from '../look/table.ts';
import { crumbsOf } from './crumbs.ts';
import { addressWith, filterForm } from './filter-form.ts';
import type { PagePart, Shown } from './shown.ts';

interface Look {
  /** Stands above what finds some of it. */
  before?: Html;
  /** Shown of each item, where that is not what lists of it show elsewhere. */
  columns?: readonly TableColumn[];
  /** Where an item leads, where that is not a page below the list’s own. */
  addressOf?: (item: Members) => string | undefined;
}

/** The page of a list: what finds some of it, its rows, and the way to more of them. */
export function listPage(shown: Shown, look: Look = {}): PagePart {
  const { operation, answer, visitor, path, query } = shown;
  const { operationId, summary, columns, beside } = operation;
  const title = titleOfList(operation, shown);
  const items = answer['items'] as Members[];
  const rows = table(visitor, {
    columns: look.columns ?? columnsShown(operationId, columns),
    items,
    label: title,
    addressOf: look.addressOf ?? ((item) => addressOfItem(visitor, operation, item)),
    offersOf: (item) => {
      if (operationId === 'findTransactions' || operationId === 'listWalletHistory') return refundOf(visitor, item);
      return addressOfItem(visitor, operation, item) === undefined ? offersOfRow(visitor, path, item) : [];
    },
  });
  return {
    title,
    body: html`${head(title, { crumbs: crumbsOf(visitor, operation, shown.known), lead: summary })}${shown.done !== undefined && doneNotice(shown.done)}
${offered(offersOfList(visitor, operation), 'What you can do')}
${look.before}${factsOf(visitor, beside, answer)}
${filterForm(operation, path, query)}
${found(shown, items.length === 0 ? undefined : rows)}
${listsOf(visitor, beside, answer, () => [])}`,
  };
}

/** What a list is called: as in the menu, or by the end of its path where it is of one thing. */
export function titleOfList(
  operation: OperatorOperation,
  { known, visitor }: Pick<Shown, 'known' | 'visitor'>,
): string {
  const title =
    titleInMenu(operation) ?? labelOf(operation.path.split('/').findLast((part) => !part.startsWith('{')) ?? '');
  const whose = Object.values(known).map((value) => visitor.names.get(value) ?? value);
  return whose.length === 0 ? title : `${title} of ${whose.join(', ')}`;
}

/** What was found, as it is turned without loading the page anew. */
function found({ operation, path, query, answer }: Shown, rows: Html | undefined): Html {
  const { count, countIsExact, nextCursor } = answer as { count?: number; countIsExact?: boolean; nextCursor?: string };
  const { cursor, ...filters } = query;
  const known =
    count === undefined || rows === undefined
      ? ''
      : `${countIsExact === false ? 'more than ' : ''}${count.toLocaleString('en-NG')} in all`;
  return html`<div id="found">${rows ?? html`<p class="none">${whyEmpty(operation.operationId, Object.keys(query).length > 0)}</p>`}
<p class="pages">${cursor !== undefined && pageLink(addressWith(path, filters, {}), 'Newest')}${
    nextCursor !== undefined && pageLink(addressWith(path, filters, { cursor: nextCursor }), 'Older')
  }${operation.csv && rows !== undefined && html`<a href="${addressWith(path, filters, { format: 'csv' })}" download>As a file (CSV)</a>`}${known !== '' && html`<span class="note">${known}</span>`}</p></div>`;
}

const pageLink = (address: string, label: string): Html =>
  html`<a href="${address}" hx-get="${address}" hx-target="#found" hx-select="#found" hx-swap="outerHTML show:top" hx-push-url="true">${label}</a>`;
