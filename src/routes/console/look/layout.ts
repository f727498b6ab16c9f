import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import { pagePolicy, sendPrivatePage } from '#http/pages.ts';
import { type Brand, brandMark } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import { projectFile } from '#lib/files.ts';
import { type Html, html } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import { pageStyle, WIDE_STYLE } from '#lib/page-style.ts';
import { allOperations, namesIn, type OperatorOperation, operationNamed, reads } from '../catalogue/operations.ts';
import { labelOf } from '../catalogue/words.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import { CONSOLE_STYLE } from './console-style.ts';
import { head } from './parts.ts';

declare module 'fastify' {
  interface FastifyInstance {
    consoleLook: ConsoleLook;
  }
}

interface ConsoleLook {
  brand: Brand;
  style: string;
  policy: string;
}

/** Scripts are ours and no others, and evaluate nothing; they load parts of pages from us alone. */
export function consoleLookOf(brand: Brand): ConsoleLook {
  const style = pageStyle(brand.colours) + WIDE_STYLE + CONSOLE_STYLE;
  return { brand, style, policy: pagePolicy(brand, style, ["script-src 'self'", "connect-src 'self'"]) };
}

/** Restrictions on htmx. It caches no page of the console: *Back* loads the page again. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, mode: 'same-origin', defaultTimeout: 30_000 });

export interface ConsolePage {
  title: string;
  body: Html;
  /** The path of the page, for the menu. */
  at?: string;
}

const sealField = ({ seal }: ConsoleVisitor): Html => html`<input type="hidden" name="form" value="${seal}">`;

/** What stands above every page of a server on which nothing is real, or where everything is. */
function environmentOf({ testing }: FastifyReply['server']): Html {
  if (testing === undefined)
    return html`<aside class="banner live" aria-label="Environment">Live: this is real money.</aside>`;
  const what = testing.environment === 'staging' ? 'Staging' : 'Sandbox';
  return html`<aside class="banner" aria-label="Environment">${what}: nothing here is real.</aside>`;
}

const bar = ({ brand }: ConsoleLook, visitor: ConsoleVisitor | null): Html =>
  html`<header class="bar"><a class="mark" href="${CONSOLE}">${brandMark(brand)}</a>${
    visitor !== null &&
    html`<form class="find" method="post" action="${CONSOLE}/search" role="search">${sealField(visitor)}<label class="unseen" for="q">Find anything</label><input id="q" name="q" type="search" maxlength="300" placeholder="Reference, tag, account, phone, id …" autocomplete="off" spellcheck="false" accesskey="s" required><button>Find</button></form>
<div class="me"><p><bdi>${visitor.operator.name}</bdi><small>${visitor.operator.role}</small></p><a class="to-menu" href="#menu">Menu</a><form method="post" action="${CONSOLE}/sign-out">${sealField(visitor)}<button>Sign out</button></form></div>`
  }</header>`;

/** Answers a page of the console. */
export function sendConsolePage(
  reply: FastifyReply,
  status: number,
  { title, body, at = '' }: ConsolePage,
): FastifyReply {
  const { consoleLook: look } = reply.server;
  const { visitor } = reply.request;
  return sendPrivatePage(reply, status, {
    language: 'en',
    direction: 'ltr',
    title: `${title} – ${look.brand.name} console`,
    style: look.style,
    policy: look.policy,
    headers: { 'cross-origin-resource-policy': 'same-origin' },
    head: html`<meta name="htmx-config" content="${HTMX_CONFIG}">
${scriptPaths().map((path) => html`<script src="${path}" defer></script>`)}
`,
    body: html`<body id="top">
<a class="skip" href="#main">Go to what is on this page</a>
${bar(look, visitor)}
${environmentOf(reply.server)}
<div class="frame${visitor === null && ' alone'}">${visitor !== null && menu(visitor, at)}<main id="main">
${body}
</main></div>
${visitor !== null && html`<footer class="foot"><p>Times are those of Lagos. What you do here is done by the operator API, under your name.</p></footer>`}
</body>`,
  });
}

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

/** The menu: every page that the operator may see. */
function menu(visitor: ConsoleVisitor, at: string): Html {
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

const files = {
  'htmx.js': projectFile('node_modules/htmx.org/dist/htmx.min.js'),
  'keys.js': projectFile('src/routes/console/look/keys.js'),
} as const;

type Name = keyof typeof files;

const read = lazy(() =>
  Object.fromEntries(
    Object.entries(files).map(([name, where]) => {
      const text = readFileSync(where, 'utf8');
      return [name, { text, version: sha256(text).toString('hex').slice(0, 12) }];
    }),
  ),
);

/** The text of a script; undefined where there is none of this name. */
export const scriptNamed = (name: string): string | undefined =>
  Object.hasOwn(files, name) ? read()[name]?.text : undefined;

/** Where pages load the scripts from: by an address that changes with what stands in them. */
const scriptPaths = (): string[] =>
  (Object.keys(files) as Name[]).map((name) => `${CONSOLE}/assets/${name}?v=${read()[name]?.version ?? ''}`);

/** Answers an address of the console that leads nowhere. */
export const sendNothingHere = (reply: FastifyReply): FastifyReply =>
  sendConsolePage(reply, 404, {
    title: 'There is nothing here',
    body: html`${head('There is nothing here')}<p>No page of the console has this address.</p><p class="pages"><a href="${CONSOLE}">Overview</a></p>`,
  });

/**
 * Refuses an operation that the operator's role does not allow, as the API would.
 *
 * @throws DomainError ROLE_REFUSED
 */
export function assertMay({ operator, may }: ConsoleVisitor, operation: OperatorOperation): void {
  if (may(operation)) return;
  const what = `this needs the role ${operation.role}, and you are ${operator.role}: ask a colleague who has it`;
  throw new DomainError('ROLE_REFUSED', what);
}
