import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { errorTable } from '#errors';
import {
  IDLE_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
  WHOLE_LOCK_TIMEOUT_MS,
} from '#lib/postgres/database.ts';
import { eventNames } from '#wire/event-names.ts';
import { eventBodies } from '#wire/events.ts';
import { exampleKeys } from '../../src/docs/event-pages.ts';
import { generated, withTables } from '../../src/docs/tables.ts';
import { securityEvents } from '../../src/lib/security-events.ts';
import { signedHeaders } from '../../src/modules/webhooks/sign.ts';
import { blocksOf, type Document, documentAt, documents, guides, proseOf, quotedIn } from '../support/documents.ts';

const readme = documentAt('README.md');
/** Commands of npm, not scripts of ours. */
const NPM_ITSELF = new Set(['ci', 'install', 'pack']);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const textOf = (names: readonly string[]) => names.map((name) => readFileSync(name, 'utf8')).join('\n');
const sources = globSync('src/**/*.ts').filter((name) => !name.startsWith('src/docs/'));
const code = textOf(sources);
const codeOfTests = textOf(globSync('test/**/*.ts'));

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(document: Document): Set<string> {
  const headings = [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const linksOf = (document: Document): string[] =>
  [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** What is wrong with a link of a page, if anything is. */
function brokenLink(from: Document, target: string): string | undefined {
  if (target.startsWith('https://')) return undefined;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from.path : normalize(join(dirname(from.path), file));
  if (!existsSync(path)) return `${from.path}: there is no ${path}`;
  const isThere = anchor === undefined || anchorsOf(documentAt(path)).has(anchor);
  return isThere ? undefined : `${from.path}: ${path} has no heading #${anchor}`;
}

/** Names of files and folders in backticks, as they look from the root or from the page's own folder. */
const isPath = (quoted: string): boolean =>
  /^[\w.-]+(\/[\w.-]+)+\/?$/.test(quoted) && /(\.(ts|sql|md|json|yml)|\/)$/.test(quoted);
const ofARun = /^\.data\//;

const fileNames = new Set(
  ['.', 'src', 'test', 'migrations'].flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((path) => basename(path)),
  ),
);

describe('every page', () => {
  test('is found', () => {
    expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'src/modules/README.md']));
    expect(guides.length).toBeGreaterThan(8);
  });

  test.each(documents)('$path links to pages and headings that exist', (document) => {
    expect(linksOf(document).map((target) => brokenLink(document, target))).toEqual(
      linksOf(document).map(() => undefined),
    );
  });

  test.each(documents)('$path names files and folders that exist', (document) => {
    const paths = quotedIn(document).filter((quoted) => isPath(quoted) && !ofARun.test(quoted));
    const exists = (path: string) => existsSync(path) || existsSync(join(dirname(document.path), path));
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  test.each(documents)('$path names files that exist, also without their folder', (document) => {
    const names = quotedIn(document).filter((quoted) => /^[\w.-]+\.(ts|sql)$/.test(quoted));
    expect(names.filter((name) => !fileNames.has(name))).toEqual([]);
  });

  test.each(documents)('$path names npm scripts that exist', ({ text }) => {
    const named = [...text.matchAll(/(?:`|^)npm (?:run (?:-s )?)?([a-z:-]+)/gm)].map(([, script = '']) => script);
    expect(named.filter((script) => !NPM_ITSELF.has(script) && !(script in scripts))).toEqual([]);
  });

  test.each(documents)('$path names variables, codes and events that the code has', ({ path, text }) => {
    const all = path.startsWith('test/') ? code + codeOfTests : code;
    const named = new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g));
    const ofThePage = new Set(text.match(/^\w+=|\s\w+=(?=\$|')/gm)?.map((assigned) => assigned.trim().slice(0, -1)));
    const unknown = [...named].filter(
      (word) => !ofThePage.has(word) && !new RegExp(`\\b${word.replace(/_FILE$/, '')}\\b`).test(all),
    );
    expect(unknown).toEqual([]);
  });

  test.each([readme, ...guides])('$path says "they" of a customer', ({ text }) => {
    expect(text.match(/\b(she|hers?|herself|he|him|his|himself)\b/gi)).toBeNull();
  });

  test.each(documents)('$path shows commands of which each line begins with something that is there', (document) => {
    const lines = blocksOf(document, 'console').flatMap((block) => block.trim().split('\n'));
    expect(
      lines.filter(
        (line) =>
          !/^(npm (start|test|run [a-z:-]+)|paytag [a-z]+|source <\(paytag completion|docker compose (--profile [a-z]+ )?(up|exec|logs|build|run)|docker (build -t paytag|run --rm paytag paytag)|node test\/[\w./-]+)\b/.test(
            line,
          ),
      ),
    ).toEqual([]);
    const programs = lines.flatMap((line) => line.match(/^node (\S+)/)?.[1] ?? []);
    expect(programs.filter((program) => !existsSync(program))).toEqual([]);
  });
});

describe('the README', () => {
  test('has at most 8 kB', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(8000);
  });

  test('leads to every guide', () => {
    const linked = new Set(linksOf(readme).map((target) => target.split('#')[0]));
    const unlinked = guides.map(({ path }) => path).filter((path) => !linked.has(path));
    expect(unlinked.filter((path) => !/^src\/docs\/(operate|decisions)\//.test(path))).toEqual([]);
  });

  test('says how the tests are run, in a line of its own', () => {
    expect(readme.text).toMatch(/^npm test\b/m);
  });
});

describe('a guide', () => {
  test('has at most 25 kB', () => {
    const large = guides.filter(({ text }) => Buffer.byteLength(text) > 25_000);
    expect(large.map(({ path }) => path)).toEqual([]);
  });

  test.each(Object.entries(generated))('%s has the tables that npm run docs writes', (page, table) => {
    const { text } = documentAt(`src/docs/${page}`);
    expect(text).toBe(withTables(text, table));
  });

  test.each(guides.filter(({ text }) => /^- \[.+\]\(#/m.test(text)))('$path lists all its sections', (guide) => {
    const sections = [...proseOf(guide).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const listed = [...guide.text.matchAll(/^- \[(.+)\]\(#/gm)].map(([, heading]) => heading);
    expect(listed).toEqual(sections);
  });
});

describe('the decisions by area', () => {
  const index = 'src/docs/decisions/README.md';
  const areas = documents.filter(({ path }) => path.startsWith('src/docs/decisions/') && path !== index);
  const all = areas.flatMap(({ text }) => text.split(/^## /m).slice(1));

  test('are listed in the index, each page under 20 kB', () => {
    expect(linksOf(documentAt(index)).toSorted()).toEqual(areas.map(({ path }) => basename(path)));
    expect(Math.max(...areas.map(({ text }) => Buffer.byteLength(text)))).toBeLessThan(20_000);
  });

  test('stand on the page that the middle of the id begins', () => {
    const astray = areas.filter(({ path, text }) =>
      [...text.matchAll(/^## D-([A-Z]+)-/gm)].some(
        ([, area = '']) => !basename(path).replaceAll('-', '').startsWith(area.toLowerCase()),
      ),
    );
    expect(astray.map(({ path }) => path)).toEqual([]);
  });

  test('are there under every id that code or a page names', () => {
    const ids = new Set(all.map((one) => one.split(' ', 1)[0]));
    const texts = [
      ...documents.map(({ text }) => text),
      code,
      codeOfTests,
      textOf(['Dockerfile', ...globSync('migrations/**/*.sql')]),
    ];
    const named = texts.flatMap((text) => text.match(/\bD-[A-Z]+-\d{2}\b/g) ?? []);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('have an id of their own, a title of at most ten words, a date, and at most five sentences', () => {
    const ids = all.map((one) => /^D-[A-Z]+-\d{2} /.exec(one)?.[0]);
    expect(ids).not.toContain(undefined);
    expect(ids.length).toBe(new Set(ids).size);
    const broken = all.filter((one) => {
      const [heading = '', ...rest] = one.trim().split('\n');
      const body = rest.join(' ').trim();
      const sentences = body
        .replace(/^\d{4}-\d{2}-\d{2}\. /, '')
        .split(/[.!?](?:\s|$)/)
        .filter((words) => words.trim() !== '');
      return heading.split(' ').length > 11 || !/^\d{4}-\d{2}-\d{2}\. /.test(body) || sentences.length > 5;
    });
    expect(broken).toEqual([]);
  });
});

test('every error code is one that something refuses with', () => {
  const others = sources.filter((name) => name !== 'src/errors.ts');
  const thrown = others.map((name) => readFileSync(name, 'utf8')).join('\n');
  expect(Object.keys(errorTable).filter((name) => !new RegExp(`\\b${name}\\b`).test(thrown))).toEqual([]);
});

const TEXT = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;

/** The texts of a file as they stand, and tests for those that are filled in as the server runs: anything may stand there. */
function textsOf(source: string): { plain: string[]; filled: ((text: string) => boolean)[] } {
  const plain: string[] = [];
  const filled: ((text: string) => boolean)[] = [];
  for (const [, quoted, template = ''] of source.matchAll(TEXT)) {
    const parts = quoted === undefined ? template.split(/\$\{[^}]*\}/) : [quoted];
    const [first = '', last = ''] = [parts[0], parts.at(-1)];
    if (parts.length === 1) plain.push(first);
    else if (parts.join('.+').length > 10) {
      const pattern = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`, 'u');
      filled.push((text) => text.startsWith(first) && text.endsWith(last) && pattern.test(text));
    }
  }
  return { plain, filled };
}

/** What is said of one member stands behind its name. */
const withoutMember = (message: string): string => message.replace(/^\w+: /, '');

it('each message that the documents show with an error code is one that the server says', () => {
  const files = globSync('src/**/*.ts', { exclude: ['src/docs/**', 'src/client/**', 'src/errors.ts'] });
  const texts = files.map((file) => textsOf(readFileSync(file, 'utf8')));
  const plain = new Set(texts.flatMap((text) => text.plain));
  const filled = texts.flatMap((text) => text.filled);
  expect([plain.size, filled.length].every((count) => count > 500)).toBe(true);
  const isSaid = (text: string) => plain.has(text) || filled.some((saysSo) => saysSo(text));
  const invented = Object.entries(errorTable).filter(
    ([, { message }]) => !isSaid(message) && !isSaid(withoutMember(message)),
  );
  expect(invented).toEqual([]);
});

/** The rows of the guide's table of alerts, by their event. */
const rows = [...documentAt('src/docs/security-events.md').text.matchAll(/^\| `(\w+)` \| (`rate\[.+)$/gm)];

test('every security event has its alert in the guide: a threshold, what it means and what to do', () => {
  expect(rows.map(([, event]) => event)).toEqual(Object.keys(securityEvents));
  const incomplete = rows.filter(
    ([, , cells = '']) => !/^`rate\[\d+[mh]\] > \d+`[^|]* \| .{10,} \| .{10,} \|$/.test(cells),
  );
  expect(incomplete.map(([row]) => row)).toEqual([]);
});

test('every security event is one that something records', () => {
  const recording = textOf(sources.filter((name) => name !== 'src/lib/security-events.ts'));
  expect(Object.keys(securityEvents).filter((event) => !recording.includes(`'${event}'`))).toEqual([]);
});

/** The columns of each table, by its name. */
const tables = new Map(
  [...readFileSync('migrations/schema.sql', 'utf8').matchAll(/^CREATE TABLE (\S+) \(\n(.*?)^\)/gms)].map(
    ([, name = '', body = '']) => [name, [...body.matchAll(/^ {4}([a-z]\w*) /gm)].map(([, column = '']) => column)],
  ),
);

const { text } = documentAt('src/docs/personal-data.md');
const [record = '', rest = ''] = text.split(/^## Tables without a person$/m);
const lines = [...record.matchAll(/^\| `(\w+\.\w+)` \|(.+)\|$/gm)].map(([, name = '', cells = '']) => ({
  name,
  cells: cells.split('|').map((cell) => cell.trim()),
}));
const recorded = lines.map(({ name }) => name);
const withoutAPerson = [...rest.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name);

/** Columns that say who somebody is, or whose something is. */
const isOfAPerson = (column: string) =>
  /_sealed$|^customer_id$|(^|_)(name|phone|e?mail|address|bvn|date_of_birth|handle|paytag)(_|$)/.test(column);

describe('the record of personal data', () => {
  test('has a line for every table with a sealed column, a customer, or a name or contact of somebody', () => {
    expect(tables.size).toBeGreaterThan(40);
    const personal = [...tables].filter(([, columns]) => columns.some(isOfAPerson)).map(([name]) => name);
    expect(personal).toEqual(expect.arrayContaining(['customers.customer', 'payments.payment', 'sessions.session']));
    expect(personal.filter((name) => !recorded.includes(name))).toEqual([]);
  });

  test('names every table once, with or without a person, and none that is not there', () => {
    expect([...recorded, ...withoutAPerson].toSorted()).toEqual([...tables.keys()].toSorted());
  });

  test('says of each what, why, how long, who sees it, and what an export and an erasure do', () => {
    const unsaid = lines.filter(({ cells }) => cells.length !== 6 || cells.includes(''));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });
});

const eventGuides = ['partner', 'switch'].map((api) => documentAt(`src/docs/${api}-events.md`));
const shapes: Record<string, { parse: (body: unknown) => unknown }> = eventBodies;

/** The examples of the guides: headers and body of each event. */
const bodies = eventGuides.flatMap((guide) => blocksOf(guide, 'json'));
const shown = eventGuides
  .flatMap((guide) => blocksOf(guide, 'http'))
  .map((block, at) => {
    const headers = block
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]);
    return {
      headers: Object.fromEntries(headers),
      body: JSON.parse(bodies[at] ?? '') as { event: string },
    };
  });

it('the guides show every event once, as its shape has it', () => {
  expect(shown.map(({ body }) => body.event)).toEqual(eventNames);
  for (const { body } of shown) expect(shapes[body.event]?.parse(body)).toEqual(body);
});

it('the guides show the headers as they are sent, signed by the keys that it names', () => {
  for (const { headers, body } of shown) {
    const rawBody = JSON.stringify(body);
    const { event } = body;
    const sequence = event.startsWith('wallet.') ? '8' : null;
    const secrets = [exampleKeys.webhookSecret];
    const message = { eventId: String(headers['webhook-id']), body: Buffer.from(rawBody), sequence };
    const sent = signedHeaders(
      message,
      { ...exampleKeys, secrets, headers: {} },
      new Date(Number(headers['webhook-timestamp']) * 1000),
    );
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(sent).toSorted());
    expect(headers).toMatchObject({
      'R-Signature': sent['R-Signature'],
      'webhook-signature': sent['webhook-signature'],
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    });
  }
});

it('the guide says after how long PostgreSQL ends what holds others up', () => {
  const [, idle, lock, whole, statement] =
    /a transaction that idles for (\S+) seconds, a wait for a lock after (\S+) \(of a single statement after (\S+)\), a statement after (\S+),/.exec(
      readFileSync('src/docs/deploy.md', 'utf8'),
    ) ?? [];
  const limits = [IDLE_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS, WHOLE_LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS];
  expect([idle, lock, whole, statement].map((seconds) => Number(seconds) * 1000)).toEqual(limits);
});
