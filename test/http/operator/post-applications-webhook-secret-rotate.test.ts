import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { refusalOf } from '../../support/refusals.ts';

const HOUR_MS = 3_600_000;
const SECRET = /^whsec_[\w+/]{43}=$/;
const server = useApp({ WEBHOOK_SECRET_OVERLAP_H: '6' });
const newOwner = async () => {
  const { applicationId, webhookSecret } = await newApplication(server);
  return { id: applicationId, webhookSecret };
};
const urlOf = (id: string) => `/applications/${id}/webhook/secret/rotate`;
const rotate = (id: string, body?: object) => server.operate('POST', urlOf(id), body);

describe('200', () => {
  it('a new secret, how long the old one signs too, and an audit entry without either', async () => {
    const { id, webhookSecret } = await newOwner();
    const answer = await rotate(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const given = answer.json();
    expect(given.webhookSecret).toMatch(SECRET);
    expect(given.webhookSecret).not.toBe(webhookSecret);
    const overlapMs = Date.parse(given.previousUntil) - server.clock.now().getTime();
    expect(Math.round(overlapMs / HOUR_MS)).toBe(6);
    const audited = await auditOf(server, id);
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator:root',
      action: 'webhook.secret.rotate',
      after: { previousUntil: given.previousUntil },
    });
    expect(JSON.stringify(audited)).not.toContain('whsec_');
    expect(server.logged).not.toContain('whsec_');
  });

  it('at once, also while two secrets sign', async () => {
    const { id } = await newOwner();
    const first = (await rotate(id, {})).json();
    const second = await rotate(id, { immediately: true });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual({ webhookSecret: expect.stringMatching(SECRET) });
    expect(second.json().webhookSecret).not.toBe(first.webhookSecret);
  });

  it('the same secret again under the same Idempotency-Key, though both were sent at once', async () => {
    const { id } = await newOwner();
    const url = `/operator/v1${urlOf(id)}`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': `rotate-${id}` };
    const pair = await Promise.all([server.call('POST', url, { headers }), server.call('POST', url, { headers })]);
    const again = await server.call('POST', url, { headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    const secrets = pair.flatMap((one) => (one.statusCode === 200 ? [one.json().webhookSecret] : []));
    expect(new Set([...secrets, again.json().webhookSecret]).size).toBe(1);
    const rotations = (await auditOf(server, id)).filter(({ action }) => action === 'webhook.secret.rotate');
    expect(rotations).toHaveLength(1);
  });
});

describe('409', () => {
  it('two secrets sign already; after the overlap it is possible again', async () => {
    const { id } = await newOwner();
    await rotate(id);
    expect(refusalOf(await rotate(id))).toEqual([409, 'SECRET_OVERLAP_RUNNING']);
    server.clock.advance(6 * HOUR_MS + 1000);
    expect((await rotate(id)).statusCode).toBe(200);
  });
});
