import { describe, expect, it } from 'vitest';
import { findApplicationAccount } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';

describe('in the sandbox', () => {
  const server = useApp();

  it('test money comes from a posting of its own for each application, and the books tie', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => newApplication(server)));
    const { rows } = await server.owner.query(
      `select owner_id, amount::text, status from ledger.transaction where type = 'APPLICATION_FUNDING'`,
    );
    expect(rows).toHaveLength(made.length);
    expect(new Set(rows.map(({ owner_id }) => owner_id))).toEqual(new Set(made.map((one) => one.applicationId)));
    expect(new Set(rows.map(({ amount, status }) => `${amount} ${status}`))).toEqual(new Set(['100000000 Successful']));
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('in staging', () => {
  const server = useApp({ ENVIRONMENT: 'staging' });

  it('a new application’s wallets are empty, and never go below zero', async () => {
    const { applicationId, headers } = await newApplication(server);
    const { db, keyring } = server.resources;
    for (const currency of ['NGN', 'FP'] as const) {
      const answer = await server.call('GET', `/api/v1/wallet?currency=${currency}`, { headers });
      expect(answer.json()).toMatchObject({ data: { currency, totalAmount: 0, availableAmount: 0 } });
      const account = await findApplicationAccount(db, keyring, applicationId, currency);
      expect(account).toMatchObject({ posted: 0n, floor: 0n, lockMode: 'strict', emits: false });
    }
  });
});
