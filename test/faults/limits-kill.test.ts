import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { createThrottles } from '#modules/limits';
import { startEmbedded } from '../../src/embedded/start-embedded.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { testLog } from '../support/log.ts';
import { killPostgres } from './kill-postgres.ts';

const GUESSES = { name: 'logins', points: 5, windowS: 3600 };
const keyring = createKeyring(Buffer.alloc(32, 7));

it('guesses that were used up stay used up when PostgreSQL is killed with -9', async () => {
  const root = await newDatabaseFolder('paytag-test-kill-');
  await copyCluster(root, 'migrated');
  const started = async () => {
    const postgres = await startEmbedded(root);
    const database = openDatabase(postgres.url('postgres'), 2, () => {});
    const { log } = testLog();
    const throttles = createThrottles({ db: database.db, keyring, clock: systemClock, log, redisUrl: undefined });
    const guess = () => throttles.take(GUESSES, 'ada').then(() => 'looked at', String);
    return { postgres, database, throttles, guess };
  };
  const before = await started();
  for (let number = 0; number < GUESSES.points; number += 1) expect(await before.guess()).toBe('looked at');
  expect(await before.guess()).toContain('too many logins');
  await killPostgres(root);
  before.throttles.close();
  await before.database.close();
  await before.postgres.stop();

  const after = await started();
  expect(await after.guess()).toContain('too many logins');
  after.throttles.close();
  await after.database.close();
  await after.postgres.stop();
  await rm(root, { recursive: true });
});
