import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { generators } from '../support/generators.ts';

const server = useSharedApp();

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'clients-'));
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Compiles all that stands in a folder as somebody does who uses it, and says what is wrong. */
async function compiled(folder: string): Promise<string> {
  const compilerOptions = {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const { stdout } = spawn(resolve('node_modules/.bin/tsc'), ['-p', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  return text(stdout);
}

/** All that was generated into a folder. */
async function sourceIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => readFile(join(folder, file), 'utf8'));
  return (await Promise.all(sources)).join('\n');
}

describe.each(Object.keys(generators))('%s', (name) => {
  it('makes a client of each document that has every operation and compiles strictly', async () => {
    const folder = join(root, name);
    for (const url of documentUrls) {
      const document = await readDocument(server, url);
      const ofDocument = join(folder, url.split('/')[1] ?? '');
      await mkdir(ofDocument, { recursive: true });
      await generators[name]?.(document, ofDocument);
      const source = (await sourceIn(ofDocument)).toLowerCase();
      const names = operationsOf(document).map(({ operation }) => operation.operationId ?? '');
      expect(names.filter((operation) => !source.includes(operation.toLowerCase()))).toEqual([]);
    }
    expect(await compiled(folder)).toBe('');
  });
});

it('the compiler refuses a client that is not as its document says', async () => {
  const folder = join(root, 'refused');
  await mkdir(folder);
  await writeFile(join(folder, 'client.ts'), 'export const count: number = "1";\n');
  expect(await compiled(folder)).toContain(
    "client.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'",
  );
});

const INT32_MAX = 2 ** 31 - 1;

interface Part {
  [member: string]: unknown;
  type?: string;
  format?: string;
  maximum?: number;
  enum?: unknown[];
}

/** What clients stumble over in one part of a document. */
function faultsOf(part: Part, at: readonly string[]): string[] {
  const { type, format, maximum = Number.POSITIVE_INFINITY, pattern, schema, content } = part;
  const isParameter = typeof part['in'] === 'string' && schema !== undefined;
  const found: Record<string, boolean> = {
    'a pattern beside a format': pattern !== undefined && format !== undefined,
    'a pattern of what is no text': typeof pattern === 'string' && type !== 'string',
    'an integer of no width': type === 'integer' && format !== 'int64' && format !== 'int32',
    'an integer of 32 bits beyond them': format === 'int32' && maximum > INT32_MAX && Number.isFinite(maximum),
    'a bound of JavaScript': [part['minimum'], maximum].some(
      (bound) => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER,
    ),
    'a parameter of several types': isParameter && !('type' in Object(schema)) && !('$ref' in Object(schema)),
    'a choice by anyOf': part['anyOf'] !== undefined,
    'nothing but null': Array.isArray(part.enum) && part.enum.every((one) => one === null),
    'a body of an answer without one': at.at(-1) === '204' && content !== undefined,
    'a body that may be null':
      at.at(-1) === 'requestBody' && /^\{"[^{]*\{"schema":\{"nullable":true/.test(JSON.stringify(content)),
    'a schema of nothing': at.at(-1) === 'schema' && !['type', '$ref', 'allOf', 'oneOf'].some((key) => key in part),
    'an answer that is not described': part['description'] === 'Default Response' || part['description'] === '',
  };
  return Object.entries(found).flatMap(([fault, isThere]) => (isThere ? [`${fault}: ${at.join(' ')}`] : []));
}

/** Every schema, parameter and answer of a document; examples and the names of members are none. */
function* partsOf(node: unknown, at: readonly string[] = []): Generator<[Part, readonly string[]]> {
  if (typeof node !== 'object' || node === null) return;
  const isNames = at.at(-1) === 'properties' && at.at(-2) !== 'properties';
  if (!Array.isArray(node) && !isNames) yield [node as Part, at];
  for (const [name, inner] of Object.entries(node)) {
    if (isNames || !['example', 'examples', 'default', 'enum'].includes(name)) yield* partsOf(inner, [...at, name]);
  }
}

/** The members of the examples that say nothing but `text`. */
function* emptyWords(node: unknown, at = ''): Generator<string> {
  if (node === 'text' && !at.endsWith(' encoding')) yield at;
  if (typeof node !== 'object' || node === null) return;
  for (const [name, inner] of Object.entries(node)) yield* emptyWords(inner, `${at} ${name}`);
}

describe.each(documentUrls)('%s', (url) => {
  it('has nothing that generators and the clients they make stumble over', async () => {
    const document = await readDocument(server, url);
    expect([...partsOf(document)].flatMap(([part, at]) => faultsOf(part, at))).toEqual([]);
  });

  it('shows no example that says "text": give its member a sample in http/openapi-examples.ts', async () => {
    const operations = operationsOf(await readDocument(server, url));
    const shown = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) =>
        Object.values(one?.content ?? {}).map(({ example }) => [...emptyWords(example, operationId)]),
      ),
    );
    expect(shown.flat()).toEqual([]);
  });
});

it('each of these faults is found', () => {
  const faulty: [Part, readonly string[]][] = [
    [{ type: 'string', format: 'uuid', pattern: '^.$' }, []],
    [{ type: 'integer', pattern: '^.$', format: 'int64' }, []],
    [{ type: 'integer' }, []],
    [{ type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER }, []],
    [{ in: 'query', schema: { anyOf: [] } }, []],
    [{ anyOf: [] }, []],
    [{ type: 'string', enum: [null] }, []],
    [{ content: {} }, ['responses', '204']],
    [{ content: { 'application/json': { schema: { nullable: true } } } }, ['requestBody']],
    [{}, ['schema']],
    [{ description: 'Default Response' }, []],
  ];
  expect(faulty.filter(([part, at]) => faultsOf(part, at).length === 0)).toEqual([]);
  expect([...emptyWords({ a: ['text'] })]).toEqual([' a 0']);
});
