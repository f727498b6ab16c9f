import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findApplicationAccount } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';

describe('in the sandbox', () => {
  const server = useApp();

  it('test money comes from a posting of its own for each application, and the books tie', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => newApplication(server)));
    const { rows } = await server.resources.pool.query(
      `select owner_id, amount::text, status from ledger.transaction where type = 'APPLICATION_FUNDING'`,
    );
    expect(rows).toHaveLength(made.length);
    expect(new Set(rows.map(({ owner_id }) => owner_id))).toEqual(new Set(made.map((one) => one.applicationId)));
    expect(new Set(rows.map(({ amount, status }) => `${amount} ${status}`))).toEqual(new Set(['100000000 Successful']));
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('an application that registered before there were wallets gets empty ones by the migration, and no second ones', async () => {
    const { applicationId } = await newApplication(server);
    const { db, pool } = server.resources;
    const migration = readFileSync(globSync('migrations/*_application_accounts.sql')[0] ?? '', 'utf8');
    await expect(pool.query(migration)).rejects.toMatchObject({ code: '23505' });
    await pool.query(`update ledger.account set reference = 'aside' where reference = $1`, [applicationId]);
    await pool.query(`${migration.replace(/;\s*$/, '')} and a.id = '${applicationId}'`);
    for (const currency of ['NGN', 'FP'] as const) {
      const account = await findApplicationAccount(db, applicationId, currency);
      expect(account).toMatchObject({ posted: 0n, floor: 0n, lockMode: 'strict', emits: false });
    }
  });
});

describe('in staging', () => {
  const server = useApp({ ENVIRONMENT: 'staging' });

  it('a new application’s wallets are empty', async () => {
    const { headers } = await newApplication(server);
    for (const currency of ['NGN', 'FP']) {
      const answer = await server.call('GET', `/api/v1/wallet?currency=${currency}`, { headers });
      expect(answer.json()).toMatchObject({ data: { currency, totalAmount: 0, availableAmount: 0 } });
    }
  });
});
