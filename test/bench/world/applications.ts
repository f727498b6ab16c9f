import type { Pool } from 'pg';
import type { Client } from '../../support/client.ts';

export interface BenchApplication {
  applicationId: string;
  client_id: string;
  client_secret: string;
  headers: Record<string, string>;
  /** Its own tag. */
  tag: string;
  /** The ledger account of its settlement wallet in naira. */
  account: number;
}

/** Applications with a token, a tag and a settlement wallet with a million naira each. */
export async function newApplications(call: Client, pool: Pool, count: number): Promise<BenchApplication[]> {
  const applications: BenchApplication[] = [];
  for (let index = 0; index < count; index++) {
    const json = { applicationName: `Shop ${index}`, webhookUrl: 'http://127.0.0.1:9/webhook' };
    type Made = Pick<BenchApplication, 'applicationId' | 'client_id' | 'client_secret'>;
    const { data } = (await call<{ data: Made }>('POST', '/api/v1/applications', { json })).body;
    const credentials = { client_id: data.client_id, client_secret: data.client_secret };
    const token = await call<{ access_token: string }>('POST', '/api/v1/auth/token', { json: credentials });
    const headers = { authorization: `Bearer ${token.body.access_token}` };
    const tag = `bench-tag-${index}`;
    await call('POST', '/api/v1/subjects', { headers, json: { externalId: 'owner' } });
    await call('POST', '/api/v1/tags', { headers, json: { tagString: tag, externalId: 'owner' } });
    const { rows } = await pool.query<{ id: string }>(
      `select id from ledger.account where kind = 'APPLICATION' and reference = $1 and currency = 'NGN'`,
      [data.applicationId],
    );
    applications.push({ ...data, headers, tag, account: Number(rows[0]?.id) });
  }
  return applications;
}

/** Offers of money that wait for an application, and claims on its tag. */
export async function fillInbox(call: Client, from: BenchApplication, to: BenchApplication): Promise<void> {
  const { headers } = from;
  for (let index = 0; index < 30; index++) {
    const json = { senderTag: from.tag, receiverTag: to.tag, amount: 10, currency: 'NGN', narration: `Lunch ${index}` };
    await call('POST', '/api/v1/transactions', { headers, json });
  }
  for (let index = 0; index < 3; index++) {
    const externalId = `customer-${index}`;
    await call('POST', '/api/v1/subjects', { headers, json: { externalId, displayName: 'Bola Ade' } });
    await call('POST', `/api/v1/tags/${to.tag}/claims`, { headers, json: { externalId } });
  }
}
