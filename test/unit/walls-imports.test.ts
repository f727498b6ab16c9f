import { filesNeverCircle } from './walls/arrows.ts';
import { describeRules } from './walls/describe-rules.ts';
import {
  dependenciesAreNarrow,
  frameworkKnowsNoShape,
  libIsAlone,
  providersAreAlone,
  roomsAreEnteredByTheFrontDoor,
  roomsKnowNoSurface,
  surfacesAreApart,
  surfacesHoldNoSql,
  wireIsShapesAlone,
} from './walls/imports.ts';
import { readSources } from './walls/source.ts';
import { formatsWait, heavyPackagesWait } from './walls/start.ts';

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
