import { type Html, html } from '#lib/html.ts';
import { allOperations, namesIn, type OperatorOperation, operationNamed, reads } from '../catalogue/operations.ts';
import { labelOf } from '../catalogue/words.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';

interface Group {
  title: string;
  /** What each entry is called, by the operation that it opens. */
  entries: Readonly<Record<string, string>>;
}

const groups: readonly Group[] = [
  {
    title: 'Money',
    entries: {
      findTransactions: 'Transactions',
      listSuspense: 'Suspense',
      listPayouts: 'Payouts',
      listInbox: 'Inbox of providers',
      listRails: 'Rails',
      listReconciliationItems: 'Reconciliation',
      listBankImports: 'Bank files',
      listDisputes: 'Disputes',
      listRemittances: 'Remittances',
      listAccounts: 'Accounts',
      getTrialBalance: 'Trial balance',
    },
  },
  {
    title: 'People',
    entries: {
      listCustomers: 'Customers',
      findCustomers: 'Find a customer',
      listWallets: 'Wallets',
      listTags: 'Tags',
      listClaims: 'Consents',
      listLinks: 'Linked tags',
      listSessions: 'Sessions',
    },
  },
  {
    title: 'Partners',
    entries: {
      listPartners: 'Partners',
      listApplications: 'Applications',
      listTerminals: 'Terminals',
      listSplits: 'Splits',
      listDeliveries: 'Deliveries',
      listReceivers: 'Receivers',
    },
  },
  {
    title: 'Control',
    entries: {
      listApprovals: 'Approvals',
      listOperators: 'Operators',
      listConsoleSessions: 'Sign-ins',
      listThrottles: 'Limits reached',
      listAuditRecords: 'Audit log',
      checkLedger: 'Ledger check',
      listSeals: 'Seals',
      listSigningKeys: 'Signing keys',
      getSettings: 'Settings',
      getOwnOperator: 'You',
    },
  },
];

/** What a page of its own entry in the menu is called. */
export const titleInMenu = ({ operationId }: Pick<OperatorOperation, 'operationId'>): string | undefined =>
  groups.map(({ entries }) => entries[operationId]).find((label) => label !== undefined);

const inGroups = new Set(['getOverview', ...groups.flatMap(({ entries }) => Object.keys(entries))]);

/** What the menu does not name yet, and can be opened without more. */
const others: Readonly<Record<string, string>> = Object.fromEntries(
  reads
    .filter(({ operationId, path }) => !inGroups.has(operationId) && namesIn(path).length === 0)
    .map(({ operationId, noun }) => [operationId, labelOf(noun)]),
);

/** Where an operation is begun. */
export function addressOf({ operationId, method, path }: OperatorOperation): string {
  if (method !== 'GET') return `${CONSOLE}/actions/${operationId}`;
  return namesIn(path).length === 0 ? `${CONSOLE}${path}` : `${CONSOLE}/open/${operationId}`;
}

const isAt = (operation: OperatorOperation, at: string): boolean => at !== '' && at === addressOf(operation);

/** The way to every page, for whoever may see it. */
export function menu(visitor: ConsoleVisitor, at: string): Html {
  const shown = [...groups, { title: 'More', entries: others }].map(({ title, entries }) => ({
    title,
    links: Object.entries(entries).flatMap(([operationId, label]) => {
      const operation = operationNamed(operationId);
      if (operation === undefined || !visitor.may(operation)) return [];
      return [link(addressOf(operation), label, isAt(operation, at))];
    }),
  }));
  const [first, last] = [
    link(CONSOLE, 'Overview', at === CONSOLE),
    link(`${CONSOLE}/operations`, 'All operations', at === `${CONSOLE}/operations`),
  ];
  return html`<nav class="side" id="menu" aria-label="Console"><ul>${first}</ul>${shown
    .filter(({ links }) => links.length > 0)
    .map(
      ({ title, links }) =>
        html`<p id="menu-${title.toLowerCase()}">${title}</p><ul aria-labelledby="menu-${title.toLowerCase()}">${links}</ul>`,
    )}<ul class="all">${last}</ul><a class="close" href="#top">Close the menu</a></nav>`;
}

const link = (address: string, label: string, isHere: boolean): Html =>
  html`<li><a href="${address}"${isHere && html` aria-current="page"`}>${label}</a></li>`;

/** Every operation that somebody may do, by what it is about. */
export function operationsByNoun({ may }: ConsoleVisitor): [noun: string, operations: OperatorOperation[]][] {
  return [...Map.groupBy(allOperations.filter(may), ({ noun }) => noun.split(' ')[0] ?? noun)].toSorted(
    ([one], [other]) => one.localeCompare(other),
  );
}
