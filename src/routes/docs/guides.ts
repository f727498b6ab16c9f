import { readdir, readFile } from 'node:fs/promises';
import type { Marked as Parser } from 'marked';
import { projectFile } from '#lib/files.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';

/** A guide of `src/docs`, and what it tells. */
interface Guide {
  name: string;
  title: string;
  about: string;
}

/** The guides in the order in which they are read. */
export const GUIDES: readonly { group: string; guides: readonly Guide[] }[] = [
  {
    group: 'For callers of the API',
    guides: [
      { name: 'partners', title: 'Partners', about: 'PayTags, wallets, moving money, terminals' },
      { name: 'sso', title: 'Single sign-on', about: 'onboarding, login, and what a customer can do' },
      { name: 'switch', title: 'Tag switch', about: 'applications, tags, consent, federation, transactions' },
      { name: 'webhooks', title: 'Webhooks', about: 'receiving, verifying and managing deliveries' },
      { name: 'partner-events', title: 'Events of partners', about: 'each event of a partner, with headers and body' },
      { name: 'switch-events', title: 'Events of applications', about: 'each event of the tag switch' },
      {
        name: 'client',
        title: 'TypeScript client',
        about: 'the package’s own client: typed calls, retries, verifying webhooks',
      },
      { name: 'errors', title: 'Errors', about: 'every error code, what to do, and whether it is safe to repeat' },
      { name: 'sandbox', title: 'Sandbox', about: 'test values and the demo' },
    ],
  },
  {
    group: 'For operators',
    guides: [
      { name: 'deploy', title: 'Deploy', about: 'production, going live, databases, upgrades' },
      { name: 'operate', title: 'Operate', about: 'the operator API day to day: operators, approvals, partners' },
      { name: 'money', title: 'Money for operators', about: 'payments, suspense, reversals, payouts, providers' },
      { name: 'customers', title: 'Customers', about: 'finding, freezing, correcting, exporting and erasing' },
      { name: 'incidents', title: 'Incidents', about: 'overload, a failing database, clocks, broken books, seals' },
      { name: 'observe', title: 'Observe', about: 'metrics, traces and alerts, and what to do about them' },
      { name: 'console', title: 'Console', about: 'pages for everything that an operator may see and do' },
      {
        name: 'command-line',
        title: 'Command line',
        about: 'paytag: every operation of the operator API, and what sets an installation up',
      },
      {
        name: 'reconciliation',
        title: 'Reconciliation',
        about: 'a bank’s file against our books, and what to do with what differs',
      },
      {
        name: 'disputes',
        title: 'Disputes',
        about: 'when somebody says that a payment was not right',
      },
      { name: 'configuration', title: 'Configuration', about: 'every variable' },
      {
        name: 'operators',
        title: 'Who must agree',
        about: 'each operation: what it lets its caller do, and who else must agree',
      },
      { name: 'operator-errors', title: 'Errors of operators', about: 'the codes of the operator API alone' },
      { name: 'security', title: 'Security', about: 'reporting a vulnerability, and what protects what' },
      { name: 'security-events', title: 'Security events', about: 'what the log shows of attacks, and what to do' },
      { name: 'backup', title: 'Backup', about: 'what to keep, how to go back to a moment, and what to do then' },
      { name: 'kubernetes', title: 'Kubernetes', about: 'how each part of compose is said there' },
      { name: 'scale', title: 'Scale', about: 'failover, shards and regions: what each takes, and what was tried' },
      { name: 'retention', title: 'What is kept', about: 'how long each table is kept, and why' },
      { name: 'growth', title: 'Growth', about: 'what a movement costs for ever, and what to do as it adds up' },
      { name: 'keys', title: 'Keys', about: 'root keys, data keys and signing keys' },
      { name: 'personal-data', title: 'Personal data', about: 'what is kept of a person, and for how long' },
      { name: 'decisions', title: 'Decisions', about: 'why things are as they are' },
    ],
  },
];

const DOCS = projectFile('src/docs/');
/** Folders of pages that belong to a guide: a page for each alert, and one for each area of decisions. */
const FOLDERS = ['operate', 'decisions'] as const;

const guideNames = new Set(GUIDES.flatMap(({ guides }) => guides.map(({ name }) => name)));

/** The text of a guide as markup; undefined where there is no such guide. Read and rendered once. */
export function renderGuide(name: string): Promise<Html> | undefined {
  return guideNames.has(name) ? renderOnce(name === 'decisions' ? 'decisions/README' : name) : undefined;
}

/** The text of a page in one of the guides' folders as markup; undefined where there is none. */
export async function renderPage(folder: (typeof FOLDERS)[number], name: string): Promise<Html | undefined> {
  const files = await readdir(new URL(`${folder}/`, DOCS));
  return files.includes(`${name}.md`) ? renderOnce(`${folder}/${name}`) : undefined;
}

function renderOnce(name: string): Promise<Html> {
  let rendering = rendered.get(name);
  if (rendering === undefined) rendered.set(name, (rendering = render(name)));
  return rendering;
}
const rendered = new Map<string, Promise<Html>>();

async function render(name: string): Promise<Html> {
  const text = await readFile(new URL(`${name}.md`, DOCS), 'utf8');
  const { Marked } = await import('marked');
  return trustedHtml(await parserOf(new Marked(), name).parse(text));
}

/** Links between guides lead to their pages here; what is in the repository alone is named, and no link. */
function parserOf(marked: Parser, name: string): Parser {
  const seen = new Map<string, number>();
  return marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const level = String(depth);
        return `<h${level} id="${anchorOf(text, seen)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, name);
        return target === undefined ? text : html`<a href="${target}">${trustedHtml(text)}</a>`.text;
      },
      // A block that is wider than the screen scrolls on its own, by keyboard too.
      code({ text }) {
        return html`<pre tabindex="0"><code>${text}</code></pre>\n`.text;
      },
      table(token) {
        // A heading without a word heads nothing.
        const cell = (tag: 'th' | 'td', text: string) => (text === '' ? '<td></td>' : `<${tag}>${text}</${tag}>`);
        const cells = (tag: 'th' | 'td', row: typeof token.header) =>
          `<tr>${row.map(({ tokens }) => cell(tag, this.parser.parseInline(tokens))).join('')}</tr>`;
        const body = token.rows.map((row) => cells('td', row)).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${cells('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
}

/** The anchor of a heading as GitHub makes it, which the guides' own links count on. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const plain = heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  const before = seen.get(plain) ?? 0;
  seen.set(plain, before + 1);
  return before === 0 ? plain : `${plain}-${before}`;
}

/** @param from the page on which the link stands */
function targetOf(href: string, from: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `docs:/docs/${from}`);
  const [, name = ''] = /^\/docs\/([\w/-]+?)(?:\/README)?\.md$/.exec(pathname) ?? [];
  return guideNames.has(name) || FOLDERS.some((folder) => name.startsWith(`${folder}/`))
    ? `/docs/${name}${hash}`
    : undefined;
}
