import { expect, test } from 'vitest';
import { describeRules } from './walls/describe-rules.ts';
import { readSources } from './walls/source.ts';
import { buildsAsItRuns, statementsArePrepared, unprepared } from './walls/statements.ts';

const source = readSources('src');

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
