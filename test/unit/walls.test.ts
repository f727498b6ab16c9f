import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeRules } from './walls/describe-rules.ts';
import { routesAreNamedAfterTheirPath } from './walls/routes.ts';
import { readSources } from './walls/source.ts';
import {
  joinsFollowForeignKeys,
  sqlStaysInTheStore,
  tablesAreWrittenByTheirOwner,
  tablesStayWithTheStores,
} from './walls/tables.ts';
import { environmentIsReadOnce, noJunkDrawers, roomsHaveAFrontDoor, timeAndChanceComeIn } from './walls/words.ts';

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
      },
      fine: {
        'src/routes/sso/get-wallet-limit.ts': `export function getWalletLimit() { app.get('/wallet/limit', handler); }`,
        'src/routes/sso/get-otp.ts': `export function getOtp() { app.get('/:session/otp', handler); }`,
        'src/routes/switch/post-tags-federation.ts': `export const postTagsFederation = () => app.post('/tags/:tag/federation', handler);`,
        'src/routes/operator/get-deliveries.ts': `export function getDeliveries() { app.get('/deliveries', handler); }`,
        'src/routes/operator/get-deliveries-by-id.ts': `export function getDeliveriesById() { app.route({ method: 'GET', url: '/deliveries/:id', handler }); }`,
        'src/routes/operator/post-tags-close.ts': `export const postTagsClose = () => app.post('/tags/close', handler);`,
        'src/routes/operator/post-tags-close-by-tag.ts': `export const postTagsCloseByTag = () => app.post('/tags/:tag/close', handler);`,
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
  const agreed = [
    'CHANGELOG.md',
    'Dockerfile',
    'LICENSE',
    'README.md',
    'docker-compose.yml',
    'package-lock.json',
    'package.json',
  ];
  const folders = ['migrations', 'node_modules', 'src', 'test'];
  const tools = ['biome.json', 'drizzle.config.ts', 'tsconfig.json', 'vitest.config.ts'];
  const found = readdirSync(root).filter((name) => !name.startsWith('.') && !name.endsWith('.log'));
  expect(found.filter((name) => ![...agreed, ...folders, ...tools].includes(name))).toEqual([]);
});
