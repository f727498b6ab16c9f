import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generated, withTables } from '../../src/docs/tables.ts';
import { errorCodes } from '../../src/lib/error-codes.ts';
import { blocksOf, type Document, documentAt, documents, guides, proseOf, quotedIn } from '../support/documents.ts';

const readme = documentAt('README.md');
const decisions = documentAt('src/docs/decisions.md');
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
  test('has at most 10 kB', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(10_000);
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
  test.each(Object.entries(generated))('%s has the tables that npm run docs writes', (page, table) => {
    const { text } = documentAt(`src/docs/${page}`);
    expect(text).toBe(withTables(text, table));
  });

  test.each(guides.filter(({ text }) => /^- \[.+\]\(#/m.test(text)))('$path lists all its sections', (guide) => {
    const sections = [...proseOf(guide).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const listed = [...guide.text.matchAll(/^- \[(.+)\]\(#/gm)].map(([, heading]) => heading);
    expect(listed).toEqual(sections);
  });

  test('decisions.md has each decision once, with a statement', () => {
    const topics = [...decisions.text.matchAll(/^- \*\*(.+?)\*\*(.*)$/gm)];
    const names = topics.map(([, topic = '']) => topic.toLowerCase().replaceAll(/[^a-z]/g, ''));
    expect(names.length).toBeGreaterThan(100);
    expect(names.length).toBe(new Set(names).size);
    expect(topics.filter(([, , rest = '']) => rest.length < 10).map(([line]) => line)).toEqual([]);
  });
});

describe('the decisions by area', () => {
  const areas = documents.filter(({ path }) => path.startsWith('src/docs/decisions/'));
  const all = areas.flatMap(({ text }) => text.split(/^## /m).slice(1));

  test('are listed in decisions.md', () => {
    const listed = [...decisions.text.matchAll(/\]\((decisions\/[\w-]+\.md)\)/g)].map(([, path]) => `src/docs/${path}`);
    expect([...new Set(listed)].toSorted()).toEqual(areas.map(({ path }) => path));
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
  const others = sources.filter((name) => !['src/lib/error-codes.ts', 'src/http/error-status.ts'].includes(name));
  const thrown = others.map((name) => readFileSync(name, 'utf8')).join('\n');
  expect(errorCodes.filter((name) => !new RegExp(`\\b${name}\\b`).test(thrown))).toEqual([]);
});
