import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { documentAt } from '../support/documents.ts';

const PAGE = 'test/unit/asvs.md';

/** The levels of all requirements of ASVS 5.0: of each chapter its sections, and in a section a digit for each requirement. */
const levels: Readonly<Record<string, string>> = {
  V1: '22 1111122223 112222222223 222 123',
  V2: '122 112 12223 23',
  V3: '3 113 12223 11222233 11122333 3 22333',
  V4: '12233 23333 22 1222',
  V5: '2 112333 113 222',
  V6: '122 111111112222 11223333 112233 22222333 2223 33 2222',
  V7: '222 1111 22 11222 223 22',
  V8: '1233 1123 133 23',
  V9: '111 1222',
  V10: '22 223 22223 1111122222233333 22222 22 222',
  V11: '2233 22233 11233 1222 23 23 33',
  V12: '12233 11 22223',
  V13: '2333 222223 2233 1222233',
  V14: '22 12223333 122',
  V15: '12233 12233 1222222 3333',
  V16: '2 22222 2222 222 2223',
  V17: '23 22223333 22',
};

const requirements = Object.entries(levels).flatMap(([chapter, sections]) =>
  sections
    .split(' ')
    .flatMap((section, at) =>
      Array.from(section, (level, index) => ({ number: `${chapter}.${at + 1}.${index + 1}`, level: Number(level) })),
    ),
);

const states = ['met', 'in part', 'not met', 'operator', 'n/a'];

interface Row {
  number: string;
  asks: string;
  state: string;
  how: string;
  /** Files from the root. */
  tests: string[];
}

const { text: table } = documentAt(PAGE);
const rows: Row[] = [...table.matchAll(/^\| (V\d+\.\d+\.\d+) \|(.+)\|$/gm)].map(([, number = '', rest = '']) => {
  const [asks = '', state = '', how = '', shownBy = ''] = rest.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const links = [...shownBy.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => join(dirname(PAGE), target));
  return { number, asks, state, how, tests: links };
});

/** The requirements that tests show, by the files in which they stand. */
const named = globSync('test/**/*.test.ts', { exclude: ['test/unit/asvs.test.ts'] }).flatMap((path) => {
  const numbers = readFileSync(path, 'utf8').match(/\bV\d+\.\d+\.\d+\b/g) ?? [];
  return [...new Set<string>(numbers)].map((number) => ({ path, number }));
});

describe('the table of the OWASP ASVS', () => {
  test('has every requirement of levels 1 and 2 once, and none that there is not', () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    const asked = requirements.filter(({ level }) => level <= 2).map(({ number }) => number);
    expect(asked).toHaveLength(253);
    expect(asked.filter((number) => !numbers.includes(number))).toEqual([]);
    const known = requirements.map(({ number }) => number);
    expect(numbers.filter((number) => !known.includes(number))).toEqual([]);
  });

  test('says of each what it asks and how it is met, by a page, a file or a test; or why it is not', () => {
    const unfit = rows.filter(({ asks, state, how, tests }) => {
      const isShown = tests.length > 0 || how.includes('](');
      return asks === '' || !states.includes(state) || (state === 'met' ? !isShown : how === '');
    });
    expect(unfit.map(({ number }) => number)).toEqual([]);
  });

  test('counts right', () => {
    const counted = (among: Row[]) => states.map((state) => among.filter((row) => row.state === state).length);
    const ofLevel2 = rows.filter(({ number }) => requirements.some((one) => one.number === number && one.level <= 2));
    const ofChapter = (chapter: string) => ofLevel2.filter(({ number }) => number.startsWith(`${chapter}.`));
    const said = [...table.matchAll(/^\| \[(V\d+) [^|]+\|([\d |]+)\|$/gm)].map(([, chapter = '', cells = '']) => [
      chapter,
      cells.split('|').map(Number),
    ]);
    expect(said).toEqual(Object.keys(levels).map((chapter) => [chapter, counted(ofChapter(chapter))]));
    expect(table).toContain(`| all | ${counted(ofLevel2).join(' | ')} |`);
  });

  test('names tests alone, and beside each requirement every test that shows it', () => {
    expect(rows.flatMap(({ tests }) => tests.filter((path) => !path.endsWith('.test.ts')))).toEqual([]);
    expect(named.length).toBeGreaterThan(60);
    const missing = named.filter(
      ({ path, number }) => !rows.some((row) => row.number === number && row.tests.includes(path)),
    );
    expect(missing).toEqual([]);
  });
});

const source = [...globSync('src/**/*.{ts,cjs}'), ...globSync('migrations/**/*.sql')].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));

/** The files in which it stands. */
const filesWith = (pattern: RegExp): string[] =>
  source.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

it('there is something to read, and what stands in it is found', () => {
  expect(source.length).toBeGreaterThan(400);
  expect(filesWith(/aes-256-gcm/)).toContain('src/lib/crypto/keyring.ts');
});

it('V1.2.5: nothing that serves requests can start a program: the embedded database and the tour do', () => {
  const starting = filesWith(
    /(?:from|import|require)\s*\(?\s*['"](node:)?(child_process|cluster|worker_threads|vm)['"]/,
  );
  expect(starting.filter((path) => !/^src\/(embedded|cli\/tour)\//.test(path))).toEqual([]);
  expect(filesWith(/\bexecSync\(|[^.]\bexec\(|shell: true/)).toEqual([]);
});

it('V1.3.2: no text is run as code', () => {
  expect(filesWith(/(?<!redis\.)\beval\(|\bnew Function\(|\bsetTimeout\(\s*['"`]/)).toEqual([]);
});

it('V1.2.9: no regular expression is made of what comes from outside', () => {
  // Of a format that holds Y, M, D and separators alone.
  expect(filesWith(/\bRegExp\(/)).toEqual(['src/modules/reconciliation/days.ts']);
});

it('V11.4.1: no digest that is broken is used', () => {
  expect(filesWith(/['"](md5|sha-?1|rsa-?sha1)['"]|\bmd5\(/i)).toEqual([]);
});

it('V11.5.1: what must not be guessed comes from the operating system, and nothing from Math.random', () => {
  expect(filesWith(/Math\.random/)).toEqual([]);
});

it('V12.3.2: certificates are checked everywhere', () => {
  expect(filesWith(/rejectUnauthorized|checkServerIdentity|sslmode=no-verify/)).toEqual([]);
  // Where live refuses it.
  expect(filesWith(/NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual(['src/config/environment.ts']);
});

it('V12.3.4: a certificate authority of our own is trusted in place of the public ones, not beside them', () => {
  expect(filesWith(/\b(rootCertificates|getCACertificates|setDefaultCACertificates)\b/)).toEqual([]);
});

it('V4.2.1: Node’s parser of HTTP is never made lenient', () => {
  expect(filesWith(/insecureHTTPParser|insecure-http-parser/)).toEqual([]);
});
