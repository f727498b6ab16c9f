import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { stampInstallation } from '#modules/keys';
import { sealDue } from '#modules/proof';
import { useDatabase } from '../../support/database.ts';
import { change, withSealer } from '../seals/sealed-books.ts';

const database = useDatabase();
const server = openDatabase(database.url, 2, () => {});
afterAll(() => server.close());
beforeAll(async () => {
  await stampInstallation(server.db, 'sandbox', [fingerprintOf(Buffer.alloc(32, 7))]);
  // Yesterday at 04:00: the hours that are sealed here end no day, whenever this runs.
  const since = `date_trunc('day', now(), 'UTC') - interval '20 hours'`;
  await change(database.url, `update installation.stamp set created_at = ${since}`);
  await withSealer(database.url, (sealer) => sealDue(sealer, 3));
});

const HOUR = `interval '1 hour'`;
/** The values of a seal that differ from those of the next, as SQL; `l` is the last. */
const forged: [string, Record<string, string>][] = [
  ['far ahead in number and time', { number: '999999', starts_at: 'l.ends_at', ends_at: `'2999-01-01'` }],
  ['that skips a number', { number: 'l.number + 2' }],
  ['that skips an hour', { starts_at: `l.ends_at + ${HOUR}`, ends_at: `l.ends_at + 2 * ${HOUR}` }],
  ['of two hours', { ends_at: `l.ends_at + 2 * ${HOUR}` }],
  ['that ends in the future', { ends_at: `'2999-01-01'`, sealed_at: `'2999-01-02'` }],
  ['dated before its end', { sealed_at: 'l.ends_at' }],
  ['dated in the future', { sealed_at: `now() + ${HOUR}` }],
  [
    'of a day that has more hours to come',
    { period: `'DAY'`, starts_at: `l.ends_at - 24 * ${HOUR}`, ends_at: 'l.ends_at' },
  ],
];

describe('the role of the server cannot insert a seal', () => {
  it.each(forged)('%s, so that sealing goes on', async (_what, differing) => {
    const values = {
      number: 'l.number + 1',
      period: `'HOUR'`,
      starts_at: 'l.ends_at',
      ends_at: `l.ends_at + ${HOUR}`,
      jws: `'x'`,
      sealed_at: 'now()',
      ...differing,
    };
    const statement = `insert into seals.seal (${Object.keys(values).join()})
      select ${Object.values(values).join()} from seals.seal l where l.period = 'HOUR' order by l.number desc limit 1`;
    await expect(server.pool.query(statement)).rejects.toMatchObject({ code: 'PT002' });
    expect(await withSealer(database.url, (sealer) => sealDue(sealer, 1))).toHaveLength(1);
  });
});

it('nor a first one that ends in the future', async () => {
  await change(database.url, 'delete from seals.seal');
  const first = `insert into seals.seal (number, period, ends_at, jws, sealed_at) values (1, 'HOUR', '2999-01-01', 'x', '2999-01-02')`;
  await expect(server.pool.query(first)).rejects.toMatchObject({ code: 'PT002' });
  expect(await withSealer(database.url, (sealer) => sealDue(sealer, 1))).toHaveLength(1);
});
