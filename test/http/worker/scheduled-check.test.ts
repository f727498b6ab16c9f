import { expect, it } from 'vitest';
import { openSnapshots } from '#lib/snapshots.ts';
import { runDueCheck } from '#modules/integrity';
import { useApp } from '../../support/app.ts';
import { scrape } from '../../support/scrape.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const runs = async () =>
  (await server.owner.query('select since is null as whole, ok from integrity.run order by id')).rows;

it('everything is checked once a night and what is new every hour, and the metrics say so from any process', async () => {
  const { wallet } = await fundedWallet(server, 100);
  expect(await scrape(server)).not.toMatch(/^paytag_integrity_violations\{/m);
  await runDueCheck(server.resources);
  await runDueCheck(server.resources);
  expect(await runs()).toEqual([{ whole: true, ok: true }]);
  expect(await scrape(server)).toMatch(/^paytag_integrity_violations\{invariant="floors_hold"\} 0$/m);

  server.clock.advance(DAY_MS);
  await runDueCheck(server.resources);
  await server.owner.query('update ledger.account set suspended = 5 where reference = $1', [wallet]);
  server.clock.advance(HOUR_MS);
  await runDueCheck(server.resources);
  const kinds = (await runs()).map(({ whole, ok }) => `${whole ? 'whole' : 'recent'} ${ok ? 'ok' : 'broken'}`);
  expect(kinds.slice(0, 2)).toEqual(['whole ok', 'whole ok']);
  expect(kinds.at(-1)).toMatch(/ broken$/);
  const text = await scrape(server);
  expect(text).toMatch(/^paytag_integrity_violations\{invariant="suspended_is_what_is_held"\} 1$/m);
  expect(text).toMatch(/^paytag_integrity_unfinished\{invariant="floors_hold"\} 0$/m);
  expect(text).toMatch(/^paytag_integrity_last_success_timestamp_seconds\{kind="whole"\} \d{10}/m);
  expect(text).toMatch(/^paytag_integrity_duration_seconds\{kind="whole"\} \d/m);
});

it('a check that another process runs is left to it', async () => {
  server.clock.advance(DAY_MS);
  const other = await openSnapshots(server.resources.databaseUrl);
  await other.lock('integrity.check');
  const before = (await runs()).length;
  await runDueCheck(server.resources);
  await other.close();
  expect(await runs()).toHaveLength(before);
});
