import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listed } from '../support/cases.ts';
import {
  arrowsIn,
  circles,
  filesNeverCircle,
  idleArrows,
  importsFollow,
  invariantsFollow,
  missingRooms,
} from './walls/arrows.ts';
import {
  dependenciesAreNarrow,
  environmentIsReadOnce,
  formatsWait,
  frameworkKnowsNoShape,
  heavyPackagesWait,
  libIsAlone,
  noJunkDrawers,
  providersAreAlone,
  roomsAreEnteredByTheFrontDoor,
  roomsHaveAFrontDoor,
  roomsKnowNoSurface,
  routesAreNamedAfterTheirPath,
  surfacesAreApart,
  surfacesHoldNoSql,
  timeAndChanceComeIn,
  wireIsShapesAlone,
} from './walls/rules.ts';
import { describeRules, imagine, readSources, rooms } from './walls/source.ts';
import {
  buildsAsItRuns,
  joinsFollowForeignKeys,
  sqlStaysInTheStore,
  statementsArePrepared,
  tablesAreWrittenByTheirOwner,
  tablesStayWithTheStores,
  unprepared,
} from './walls/sql.ts';

describeRules(
  [
    {
      rule: roomsAreEnteredByTheFrontDoor,
      broken: {
        'src/modules/b/list.ts': `import { hidden } from '#modules/a/store.ts';`,
        'src/modules/b/show.ts': `import { hidden } from '../a/store.ts';`,
        'src/modules/b/self.ts': `import { list } from '#modules/b';`,
        'src/routes/partner/get-b.ts': `const { list } = await import('../../modules/b/index.ts');`,
      },
      fine: { 'src/modules/b/list.ts': `import { ask } from '#modules/a';\nimport { all } from './store.ts';` },
    },
    {
      rule: libIsAlone,
      broken: {
        'src/lib/a.ts': `import { ask } from '#modules/a';`,
        'src/lib/deep/b.ts': `import type { Config } from '../../config/config.ts';`,
      },
      fine: { 'src/lib/a.ts': `import { z } from 'zod';\nimport { b } from './deep/b.ts';` },
    },
    {
      rule: roomsKnowNoSurface,
      broken: {
        'src/modules/a/x.ts': `import { amount } from '../../http/amount.ts';`,
        'src/modules/a/y.ts': `import { readConfig } from '../../config/config.ts';`,
        'src/modules/a/z.ts': `export * from '../../routes/partner/shapes.ts';`,
        'src/modules/a/w.ts': `import type { Money } from '#wire/money.ts';`,
      },
      fine: { 'src/modules/a/x.ts': `import { b } from '#lib/b.ts';` },
    },
    {
      rule: wireIsShapesAlone,
      broken: {
        'src/wire/a.ts': `import { thing } from '#modules/a';`,
        'src/wire/b.ts': `import type { Handler } from '#http/b.ts';`,
        'src/wire/c.ts': `import { shape } from '../routes/partner/shapes.ts';`,
        'src/wire/d.ts': `import type { FastifyRequest } from 'fastify';`,
      },
      fine: {
        'src/wire/a.ts': `import { z } from 'zod';\nimport type { Thing } from '#modules/a';\nimport { b } from './b.ts';`,
        'src/wire/b.ts': `import { toMajor } from '#lib/minor-units.ts';`,
      },
    },
    {
      rule: frameworkKnowsNoShape,
      broken: {
        'src/http/x.ts': `import { amountIn } from '#wire/money.ts';`,
        'src/http/auth/y.ts': `import type { Body } from '../../routes/partner/shapes.ts';`,
      },
      fine: {
        'src/http/x.ts': `import { z } from 'zod';\nimport { c } from '#modules/c';\nimport { b } from './b.ts';`,
      },
    },
    {
      rule: surfacesAreApart,
      broken: { 'src/routes/sso/get-x.ts': `import { shape } from '../partner/shapes.ts';` },
      fine: { 'src/routes/sso/get-x.ts': `import { shape } from './shapes/x.ts';\nimport { x } from '#wire/x.ts';` },
    },
    {
      rule: dependenciesAreNarrow,
      broken: {
        'src/routes/partner/get-x.ts': `import type { Resources } from '../../composition.ts';`,
        'src/worker/x.ts': `import type { Config } from '../config/config.ts';`,
      },
      fine: {
        'src/app.ts': `import type { Resources } from './composition.ts';`,
        'src/cli/x.ts': `import { readConfig } from '../config/config.ts';`,
      },
    },
    {
      rule: filesNeverCircle,
      broken: {
        'src/modules/b/list.ts': `import type { Show } from './show.ts';`,
        'src/modules/a/index.ts': `export type { B } from '../b/tables.ts';`,
      },
      fine: { 'src/modules/b/list.ts': `import type { Other } from './tables.ts';` },
    },
    {
      rule: providersAreAlone,
      broken: { 'src/providers/bvn/x.ts': `import { ask } from '#modules/a';` },
      fine: { 'src/providers/bvn/x.ts': `import type { Bvn } from './port.ts';` },
    },
    {
      rule: surfacesHoldNoSql,
      broken: {
        'src/routes/partner/get-x.ts': `import { eq } from '#drizzle';`,
        'src/http/x.ts': `import { Pool } from 'pg';`,
      },
      fine: { 'src/http/x.ts': `import type { Pool } from 'pg';` },
    },
    {
      rule: heavyPackagesWait,
      broken: { 'src/routes/console/x.ts': `import { Response } from 'undici';` },
      fine: {
        'src/lib/x.ts': `import type { Pool } from 'undici';\nimport { z } from 'zod';\nconst x = await import('undici');`,
        'src/cli/x.ts': `import { Command } from 'commander';`,
      },
    },
    {
      rule: formatsWait,
      broken: { 'src/lib/x.ts': `const numbers = new Intl.NumberFormat('en-NG');` },
      fine: { 'src/lib/x.ts': `const numbers = lazy(() => new Intl.NumberFormat('en-NG'));` },
    },
  ],
  readSources('src'),
);

const root = new URL('../../', import.meta.url);
const source = readSources('src');
const tests = readSources('test');

test('there is something to check', () => {
  expect(source.length).toBeGreaterThan(100);
  expect(tests.length).toBeGreaterThan(20);
  expect(source.filter(({ path }) => path.startsWith('src/modules/')).length).toBeGreaterThan(50);
  expect(source.filter(({ path }) => path.startsWith('src/routes/')).length).toBeGreaterThan(20);
  expect(source.flatMap(({ imports }) => imports).length).toBeGreaterThan(400);
});

describeRules(
  [
    {
      rule: tablesStayWithTheStores,
      broken: {
        'src/modules/b/list.ts': `import { ask, thing as t } from '#modules/a';`,
        'src/routes/partner/get-x.ts': `import * as a from '#modules/a';`,
      },
      fine: {
        'src/modules/b/store.ts': `import { thing } from '#modules/a';`,
        'src/app.ts': `import { ask } from '#modules/a';`,
      },
    },
    {
      rule: joinsFollowForeignKeys,
      broken: { 'src/modules/c/store.ts': `import { thing } from '#modules/a';` },
      fine: { 'src/modules/b/store.ts': `import { thing } from '#modules/a';` },
    },
    {
      rule: tablesAreWrittenByTheirOwner,
      broken: {
        'src/modules/b/store.ts': `import { thing as t } from '#modules/a';\ntx\n  .insert(t).values({});`,
        'src/modules/b/more-store.ts': `import { thing } from '#modules/a';\nsql\`delete from \${thing}\``,
        'src/modules/c/store.ts': 'sql`update a_schema.thing set x = 1`',
        'src/cli/mend.ts': 'sql`insert into a_schema.thing default values`',
      },
      fine: {
        'src/modules/a/store.ts': 'sql`update a_schema.thing set x = 1`',
        'src/modules/b/store.ts': `import { thing } from '#modules/a';\n// tx.insert(thing)\ndb.select().from(other).innerJoin(thing);`,
      },
    },
    {
      rule: sqlStaysInTheStore,
      broken: {
        'src/modules/b/list.ts': `import { eq } from '#drizzle';`,
        'src/modules/b/show.ts': `import { other } from './tables.ts';`,
      },
      fine: {
        'src/modules/b/store.ts': `import { eq } from '#drizzle';`,
        'src/modules/c/c.ts': `import { sql } from '#drizzle';`,
      },
    },
    {
      rule: environmentIsReadOnce,
      broken: {
        'src/log.ts': `const level = process.env.LOG_LEVEL;`,
        'src/x.ts': `import { env } from 'node:process';`,
      },
      fine: {
        'src/config/environment.ts': `const env = process.env;`,
        'src/log.ts': `// process.env is read elsewhere`,
      },
    },
    {
      rule: timeAndChanceComeIn,
      broken: {
        'src/modules/a/x.ts': `const at = new Date();`,
        'src/modules/a/y.ts': `const at = Date.now();`,
        'src/modules/a/z.ts': `const die = Math.random();`,
      },
      fine: { 'src/modules/a/x.ts': `const at = new Date(row.at); /* new Date() */`, 'src/lib/clock.ts': `new Date()` },
    },
    {
      rule: routesAreNamedAfterTheirPath,
      broken: {
        'src/routes/sso/get-limit.ts': `export function getLimit() { app.get('/wallet/limit', handler); }`,
        'src/routes/sso/get-wallet.ts': `export function getWallet() { app.post('/wallet', handler); }`,
        'src/routes/sso/get-tag.ts': `export function getTag() { app.get('/tags/:tag', handler); }`,
        'src/routes/sso/get-otp.ts': `export function getSessionOtp() { app.get('/:session/otp', handler); }`,
        'src/routes/sso/delete-beneficiary.ts': `export const nothing = 1;`,
        'src/routes/sso/get-a.ts': `export function getA() { app.get('/a', handler); app.get('/b', handler); }`,
        'src/routes/stray.ts': `export const nothing = 1;`,
        'src/routes/operator/payouts.ts': `export function mark() { app.post('/payouts/:id/mark', handler); }`,
      },
      fine: {
        'src/routes/operator/tags.ts': `export function getTags() { app.get('/tags', handler); }
          export function postTagsClose() { app.post('/tags/:tag/close', handler); }`,
        'src/routes/sso/get-wallet-limit.ts': `export function getWalletLimit() { app.get('/wallet/limit', handler); }`,
        'src/routes/sso/get-otp.ts': `export function getOtp() { app.get('/:session/otp', handler); }`,
        'src/routes/switch/post-tags-federation.ts': `export const postTagsFederation = () => app.post('/tags/:tag/federation', handler);`,
        'src/routes/partner/get-deliveries.ts': `export function getDeliveries() { app.get('/deliveries', handler); }`,
        'src/routes/partner/get-deliveries-by-id.ts': `export function getDeliveriesById() { app.route({ method: 'GET', url: '/deliveries/:id', handler }); }`,
        'src/routes/partner/post-tags-close.ts': `export const postTagsClose = () => app.post('/tags/close', handler);`,
        'src/routes/partner/post-tags-close-by-tag.ts': `export const postTagsCloseByTag = () => app.post('/tags/:tag/close', handler);`,
        'src/routes/sso/get-sso.ts': `export function getSso() { app.get('/', handler); }`,
        'src/routes/sso/plugin.ts': `for (const endpoint of endpoints) endpoint(app);`,
      },
    },
    {
      rule: noJunkDrawers,
      broken: { 'src/lib/utils.ts': '', 'test/helpers/x.ts': '' },
      fine: { 'src/lib/clock.ts': '', 'src/lib/prototypes.ts': '' },
    },
    {
      rule: roomsHaveAFrontDoor,
      broken: { 'src/modules/d/x.ts': '', 'src/app.ts': `import { e } from '#modules/e';` },
      fine: { 'src/modules/a/x.ts': '' },
    },
  ],
  source,
);

test('tests have no drawers either, and the top level holds what was agreed and no more', () => {
  expect(noJunkDrawers(tests)).toEqual([]);
  const agreed = listed`CHANGELOG.md | CONTRIBUTING.md | Dockerfile | LICENSE | README.md | docker-compose.yml | package-lock.json | package.json`;
  const folders = ['dist', 'migrations', 'node_modules', 'src', 'test'];
  const tools = ['biome.json', 'drizzle.config.ts', 'tsconfig.json', 'vitest.config.ts'];
  const found = readdirSync(root).filter((name) => !name.startsWith('.') && !name.endsWith('.log'));
  expect(found.filter((name) => ![...agreed, ...folders, ...tools].includes(name))).toEqual([]);
});

describeRules(
  [
    {
      rule: statementsArePrepared,
      broken: {
        'src/modules/b/store.ts': `const find = async (tx: Tx) => tx\n  .select().from(other);`,
        'src/modules/b/more-store.ts': `const [found] = await db.select().from(other);`,
        'src/modules/b/text-store.ts': `const { rows } = await pool.query('select 1');`,
      },
      fine: {
        'src/modules/b/store.ts': `const find = preparedOne('b.find', (db, given) => db.select().from(other));`,
      },
    },
  ],
  source,
);

test('what is excepted is there, and builds statements as it runs', () => {
  const codes = new Map(source.map(({ path, code }) => [path, code]));
  expect(Object.keys(unprepared).filter((path) => !buildsAsItRuns(codes.get(path) ?? ''))).toEqual([]);
});
const table = readFileSync(new URL('../../src/modules/README.md', import.meta.url), 'utf8');
const arrows = arrowsIn(table);

describe('the arrows between rooms', () => {
  test('are there', () => {
    expect(arrows.size).toBeGreaterThan(10);
  });

  test('are those of src/modules/README.md, which names every room and no other', () => {
    expect(missingRooms(arrows, source)).toEqual([]);
    expect(importsFollow(arrows)(source)).toEqual([]);
    expect(idleArrows(table, source)).toEqual([]);
    expect(invariantsFollow(arrows)(source)).toEqual([]);
  });

  test('never lead in a circle', () => {
    expect(circles(arrows)).toEqual([]);
  });

  test('are refused where the table has none, where a room is missing, and where they close a circle', () => {
    const imagined = arrowsIn('| `a` | | alone |\n| `b` | `a` | it refers to it |\n| `gone` | | it was here |');
    expect(missingRooms(imagined, imagine(rooms))).toEqual([
      'c has no row in src/modules/README.md',
      'gone of src/modules/README.md does not exist',
    ]);
    expect(importsFollow(imagined)(imagine(rooms))).toEqual([]);
    expect(importsFollow(imagined)(imagine({ 'src/modules/a/x.ts': `import type { B } from '#modules/b';` }))).toEqual([
      'src/modules/a/x.ts asks b: the table in src/modules/README.md has no such arrow',
    ]);
    expect(circles(arrowsIn('| `a` | `b` | x |\n| `b` | `c` | x |\n| `c` | `b` | x |'))).toEqual(['b → c → b']);
    const reads = 'offenders: () => `select from a_schema.thing`';
    expect(invariantsFollow(imagined)(imagine({ ...rooms, 'src/modules/b/invariants.ts': reads }))).toEqual([]);
    expect(invariantsFollow(imagined)(imagine({ ...rooms, 'src/modules/c/money-invariants.ts': reads }))).toEqual([
      'src/modules/c/money-invariants.ts reads the tables of a, which its room does not ask',
    ]);
    expect(() => arrowsIn('| `a` | `b` | |')).toThrow('give no reason');
    const rows = '| `a` | `b` | x |\n| `b` | `a` | x |\n| `c` | `a` (SQL) | x |';
    expect(idleArrows(rows, imagine(rooms))).toEqual(['a → b']);
  });
});
