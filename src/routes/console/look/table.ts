import { fact, type Html, html } from '#lib/html.ts';
import type { Column } from '../catalogue/operations.ts';
import type { Members } from '../catalogue/things.ts';
import { withCurrency } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import type { ConsoleVisitor } from '../session.ts';
import { asJson, memberOf, shown, shownInRow } from './values.ts';

/** What a list shows of its items, where that is not the first of what they have. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  findTransactions: ['CreatedAt', 'Type', 'Status', 'Amount', 'Reference', 'PartnerID'],
  findCustomers: ['paytag', 'name', 'status', 'phone', 'bvn', 'paytagStatus', 'createdAt'],
  listApplications: ['name', 'namespace', 'status', 'email', 'createdAt'],
  listApprovals: ['createdAt', 'operation', 'status', 'amount', 'requestedBy.name', 'expiresAt'],
  listBankImports: ['createdAt', 'rail', 'format', 'from', 'to', 'lines', 'importedBy'],
  listClaims: [
    'tagString',
    'requestedByAppId',
    'subjectExternalId',
    'state',
    'requestedAt',
    'approvedAt',
    'tokenExpiresAt',
  ],
  listConsoleSessions: ['operatorName', 'role', 'createdAt', 'expiresAt', 'endedAt'],
  listCustomers: ['name', 'paytag', 'paytagStatus', 'status', 'hasPassword', 'frozenAt', 'createdAt'],
  listDeliveries: ['event', 'status', 'reference', 'ownerId', 'attempts', 'lastError', 'createdAt'],
  listDisputes: ['transactionReference', 'state', 'amount', 'reason', 'respondBy', 'partnerId', 'createdAt'],
  listInbox: ['receivedAt', 'provider', 'kind', 'state', 'reference', 'amount', 'lastError'],
  listLinks: ['primaryTag', 'primaryAppId', 'linkedTag', 'linkedAppId', 'status', 'method', 'verifiedAt', 'expiresAt'],
  listOperators: ['name', 'role', 'status', 'expiresAt', 'lastUsedAt'],
  listPartners: ['name', 'status', 'redirectUrl', 'createdAt'],
  listPayouts: ['reference', 'state', 'amount', 'wallet', 'bankName', 'provider', 'createdAt'],
  listReconciliationItems: ['bankDay', 'rail', 'status', 'reference', 'bankAmount', 'ourAmount', 'difference'],
  listSessions: ['issuedAt', 'customerId', 'partnerId', 'status', 'expiresAt', 'revokedAt'],
  listSplits: ['title', 'reference', 'status', 'amount', 'remaining', 'terminal', 'partnerId', 'expiresAt'],
  listSuspense: ['since', 'type', 'amount', 'reason', 'reference', 'partnerId', 'sender.name'],
  listTags: ['tagString', 'status', 'ownerApplicationId', 'createdByAppId', 'createdAt', 'closedAt'],
  listTerminals: ['merchant', 'serialNumber', 'paytag', 'status', 'balance', 'partnerId', 'createdAt'],
  listThrottles: ['name', 'about', 'spent', 'until'],
  listWalletHistory: ['Reference', 'CreatedAt', 'Type', 'Status', 'Amount', 'Fee', 'ClosingBalance'],
  listWalletHolds: ['amount', 'type', 'reference', 'externalReference', 'createdAt', 'expiresAt'],
  listWalletLiens: ['amount', 'reason', 'createdAt', 'liftedAt'],
  listWallets: ['reference', 'name', 'nuban', 'status', 'availableAmount', 'partnerId', 'createdAt'],
};

const COLUMNS_MAX = 8;

/** The columns of a list that its page shows. */
export function columnsShown(operationId: string, columns: readonly Column[]): Column[] {
  const names = chosen[operationId];
  if (names === undefined)
    return columns.filter(({ kind }) => kind !== 'json' && kind !== 'list').slice(0, COLUMNS_MAX);
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** A column, or what is made of several members of an item. */
export type TableColumn = Column & { show?: (item: Members) => Html };

interface Table {
  columns: readonly TableColumn[];
  items: readonly Members[];
  /** The name of the table, for screen readers. */
  label: string;
  /** Where an item's first column leads. */
  addressOf?: (item: Members) => string | undefined;
  /** What may be done with an item. */
  offersOf?: (item: Members) => readonly Html[];
}

/** Rows, which a narrow screen shows one below the other. */
export function table(visitor: ConsoleVisitor, { columns, items, label, addressOf, offersOf }: Table): Html {
  const offers = items.map((item) => offersOf?.(item) ?? []);
  const hasOffers = offers.some((links) => links.length > 0);
  const rows = items.map((item, at) => {
    const cells = columns.map((column, index) =>
      cell(visitor, column, item, index === 0 ? addressOf?.(item) : undefined),
    );
    const does = html`<td role="cell" data-label="Do" class="do${offers[at]?.length === 0 && ' empty'}"><ul class="does">${offers[at]}</ul></td>`;
    return html`<tr role="row">${cells}${hasOffers && does}</tr>
`;
  });
  // A table that is wider than its page scrolls with its links, or by keyboard if it has none.
  const isStill = !rows.some(({ text }) => text.includes('<a '));
  return html`<div class="wide-list"${isStill && html` tabindex="0" role="region" aria-label="${label}"`}><table class="list" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${columns.map(
    ({ name, kind }) =>
      html`<th role="columnheader" scope="col"${isNumber({ name, kind }) && html` class="num"`}>${labelOf(name)}</th>`,
  )}${hasOffers && html`<th role="columnheader" scope="col" class="do">Do</th>`}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`;
}

/** Whether a column is compared by its digits, and so stands to the right. Some numbers only name something. */
const isNumber = ({ name, kind }: Pick<Column, 'name' | 'kind'>): boolean =>
  kind === 'money' || (kind === 'integer' && !/(id|number|tier|version|year)$/i.test(name));

/** A sentence: its column stays wide enough to read, however many columns there are. */
const LONG_TEXT = /^(?=.*\s).{25,}$/s;

function cell(visitor: ConsoleVisitor, column: TableColumn, item: Members, address: string | undefined): Html {
  const value = memberOf(item, column.name);
  const unlinked = { ...visitor, may: () => false }; // a link stands in no other
  const made = column.show && html`<div>${column.show(item)}</div>`; // one element, next to its label on a phone
  const what = made ?? shownInRow(address === undefined ? visitor : unlinked, column, value, item);
  const isEmpty = made === undefined && (value === undefined || value === null || value === '');
  const look = isEmpty
    ? `empty${isNumber(column) ? ' num' : ''}`
    : isNumber(column)
      ? 'num'
      : column.kind === 'moment' || column.kind === 'day'
        ? 'short'
        : made === undefined && typeof value === 'string' && LONG_TEXT.test(value)
          ? 'long'
          : '';
  const linked = address === undefined ? what : html`<a href="${address}">${what}</a>`;
  return html`<td role="cell" data-label="${labelOf(column.name)}"${look !== '' && html` class="${look}"`}>${linked}</td>`;
}

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

/** The lists of an answer, and members without a described shape, each in a section. */
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
