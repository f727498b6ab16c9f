import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, it, test } from 'vitest';
import { sql } from '#drizzle';
import { drizzle } from '#drizzle/node-postgres';
import { pgTable, text } from '#drizzle/pg-core';
import packageJson from '../../../package.json' with { type: 'json' };
import { readSources } from '../walls/source.ts';

const named = pgTable('named', { name: text('name') });
const onClient = drizzle(new pg.Client());
const statement = onClient.select().from(named).prepare('insides');
const client = new pg.Client();

/**
 * What `src/lib/postgres` uses of pg and drizzle-orm that neither describes: no version number promises any of it. So both are
 * pinned, and whoever raises them looks here first.
 */
const insides: readonly [what: string, of: object, names: readonly string[]][] = [
  ['pg', pg, ['Query', 'Result', 'utils']],
  ['pg.utils', (pg as unknown as { utils: object }).utils, ['prepareValue']],
  [
    'pg.Client',
    client,
    ['_connected', '_activeQuery', '_sentQueryQueue', '_queryQueue', 'processID', 'connection', 'pipeline'],
  ],
  ['pg.Query', new pg.Query({ text: 'select' }), ['submit', 'callback', 'name', 'text']],
  ['pg.Result', new pg.Result('array', pg.types), ['addFields', 'parseRow']],
  [
    'pg.Connection',
    client.connection,
    ['stream', 'parsedStatements', 'submittedNamedStatements', 'parse', 'bind', 'describe', 'execute', 'sync'],
  ],
  ['drizzle-orm', createRequire(import.meta.url)('drizzle-orm'), ['fillPlaceholders', 'is', 'getTableName']],
  ['drizzle', drizzle, ['mock']],
  ['a database of drizzle', onClient, ['_', '$client', 'transaction']],
  ['a session of drizzle', onClient._.session, ['client']],
  [
    'a prepared statement of drizzle',
    statement,
    ['client', 'queryConfig', 'params', 'fields', 'joinsNotNullableMap', 'execute'],
  ],
  [
    'the query of a prepared statement',
    (statement as unknown as { queryConfig: object }).queryConfig,
    ['name', 'text'],
  ],
  ['a statement of drizzle in SQL', drizzle.mock().execute(sql`select 1`), ['getQuery']],
  ['an expression of drizzle', sql`now()`, ['decoder']],
  ['an expression with a name', sql`now()`.as('at'), ['sql']],
  ['a column of drizzle', named.name, ['mapFromDriverValue', 'mapToDriverValue', 'dataType', 'columnType', 'table']],
];

test.each(insides)('%s has what is used of it', (_, of, names) => {
  expect(names.filter((name) => !(name in of))).toEqual([]);
});

/** A message of PostgreSQL: its letter, its length, and what it says. */
function message(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)]);
}

it('a connection says by events what PostgreSQL set and what it refused', () => {
  const { connection } = new pg.Client();
  const seen: unknown[] = [];
  connection.on('parameterStatus', ({ parameterName, parameterValue }) => seen.push([parameterName, parameterValue]));
  connection.on('errorMessage', ({ code }) => seen.push(code));
  const stream = new PassThrough();
  (connection as unknown as { attachListeners(of: PassThrough): void }).attachListeners(stream);
  stream.emit('data', message('S', 'in_hot_standby\0on\0'));
  stream.emit('data', message('E', 'C25006\0\0'));
  expect(seen).toEqual([['in_hot_standby', 'on'], '25006']);
});

it('a query may be one of ours: a pipelined client takes what descends from its own, and gives it all messages', () => {
  const source = readFileSync(new URL(import.meta.resolve('pg/lib/client.js')), 'utf8');
  const messages = [...source.matchAll(/\b(?:active)?[qQ]uery\.(handle\w+)\(/g)].map(([, name = '']) => name);
  expect(messages).toContain('handleReadyForQuery');
  expect(messages.filter((name) => !(name in pg.Query.prototype))).toEqual([]);
});

it('the versions are pinned', () => {
  const { pg: pgVersion, 'drizzle-orm': drizzleVersion } = packageJson.dependencies;
  expect([pgVersion, drizzleVersion].join(' ')).toMatch(/^\d+\.\d+\.\d+ \d+\.\d+\.\d+$/);
});

it('nothing outside of lib/postgres uses the insides of either', () => {
  const names =
    /\b_(connected|activeQuery|sentQueryQueue|queryQueue)\b|\.(parsedStatements|processID|\$client|joinsNotNullableMap)\b|\._\.session|\.connection\.(on|stream)\b/;
  const outside = readSources('src').filter(({ path }) => !path.startsWith('src/lib/postgres/'));
  expect(outside.filter(({ code }) => names.test(code)).map(({ path }) => path)).toEqual([]);
});
