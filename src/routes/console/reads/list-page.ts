import { type Html, html } from '#lib/html.ts';
import { doneNotice } from '../actions/done.ts';
import { offered, offersOfList, offersOfRow, refundOf } from '../catalogue/offers.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import { addressOfItem, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { titleInMenu } from '../look/layout.ts';
import { head } from '../look/parts.ts';
import { columnsShown, factsOf, listsOf, type TableColumn, table } from '../look/table.ts';
import { addressWith, filterForm } from './filter-form.ts';
import { crumbsOf } from './item-page.ts';
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
  const { operationId, summary, columns, extras } = operation;
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
${look.before}${factsOf(visitor, extras, answer)}
${filterForm(operation, path, query)}
${found(shown, items.length === 0 ? undefined : rows)}
${listsOf(visitor, extras, answer, () => [])}`,
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

/** The rows and the way to older ones, which htmx swaps without reloading the page. */
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

/** What a list says that has nothing in it: whether that is good, and how something comes to stand there. */
const whenEmpty: Readonly<Record<string, string>> = {
  findTransactions: 'Nothing was moved yet.',
  listApplications: 'No application has registered yet.',
  listApprovals: 'No request needs the approval of another operator.',
  listBankImports: 'No file of a bank yet. Import the first one.',
  listClaims: 'No application has asked for consent yet.',
  listCustomers: 'No customer has a PayTag yet.',
  listDeliveries: 'Nothing was sent yet: no event has happened that an endpoint subscribes to.',
  listDisputes: 'Nothing is disputed. A dispute is opened on the page of its transaction.',
  listInbox: 'No provider has sent a message yet.',
  listLinks: 'No tags are linked yet.',
  listPartners: 'No partner yet. Create the first one.',
  listPayouts: 'No payout was made yet.',
  listRailComparisons: 'No day was compared yet.',
  listReceivers: 'No receiver yet: each partner and each application gets one when it is created.',
  listReconciliationItems: 'Nothing to reconcile. Items come from the files of a bank.',
  listRemittances: 'Nothing was paid out of our own accounts yet.',
  listSeals: 'Nothing is sealed yet. The worker does so every day.',
  listSessions: 'No customer is logged in.',
  listSplits: 'No split yet. One is created on the page of its terminal.',
  listSuspense: 'No money is in suspense: everything that came in was credited.',
  listTags: 'No tag yet.',
  listTerminals: 'No terminal yet. Create the first one.',
  listThrottles: 'No caller has reached a limit.',
  listWalletHistory: 'Nothing has moved it yet.',
  listWalletHolds: 'Nothing of it is set aside.',
  listWalletLiens: 'No lien was ever created on it.',
  listWallets: 'No wallet yet.',
};

/** The same of any list, and of one that was asked for some of it. */
const whyEmpty = (operationId: string, isFiltered: boolean): string =>
  isFiltered ? 'Nothing here that matches. Ask for less, or show all.' : (whenEmpty[operationId] ?? 'Nothing here.');
