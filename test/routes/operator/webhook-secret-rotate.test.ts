import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

const server = useApp({ WEBHOOK_SECRET_OVERLAP_H: '6' });
const NOBODY = '00000000-0000-7000-8000-000000000000';
const SECRET = /^whsec_[\w+/]{43}=$/;

const owners = [
  ['partners', async () => server.newPartner()],
  ['applications', async () => newApplication(server).then((made) => ({ ...made, id: made.applicationId }))],
] as const;

describe.each(owners)('POST /operator/v1/%s/{id}/webhook/secret/rotate', (kind, newOwner) => {
  const rotate = (id: string, body?: object) => server.operate('POST', `/${kind}/${id}/webhook/secret/rotate`, body);

  it('200: a new secret, how long the old one signs too, and an audit entry without either', async () => {
    const { id, webhookSecret } = await newOwner();
    const answer = await rotate(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const given = answer.json();
    expect(given.webhookSecret).toMatch(SECRET);
    expect(given.webhookSecret).not.toBe(webhookSecret);
    const overlapMs = Date.parse(given.previousUntil) - server.clock.now().getTime();
    expect(Math.round(overlapMs / 3_600_000)).toBe(6);
    const audited = await auditOf(server, id);
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator',
      action: 'webhook.secret.rotate',
      after: { previousUntil: given.previousUntil },
    });
    expect(JSON.stringify(audited)).not.toContain('whsec_');
    expect(server.logged).not.toContain('whsec_');
  });

  it('200: at once, also while two secrets sign', async () => {
    const { id } = await newOwner();
    const first = (await rotate(id, {})).json();
    const second = await rotate(id, { immediately: true });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual({ webhookSecret: expect.stringMatching(SECRET) });
    expect(second.json().webhookSecret).not.toBe(first.webhookSecret);
  });

  it('200: the same secret again under the same Idempotency-Key, though both were sent at once', async () => {
    const { id } = await newOwner();
    const url = `/operator/v1/${kind}/${id}/webhook/secret/rotate`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': `rotate-${id}` };
    const pair = await Promise.all([server.call('POST', url, { headers }), server.call('POST', url, { headers })]);
    const again = await server.call('POST', url, { headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    const secrets = pair.flatMap((one) => (one.statusCode === 200 ? [one.json().webhookSecret] : []));
    expect(new Set([...secrets, again.json().webhookSecret]).size).toBe(1);
    const rotations = (await auditOf(server, id)).filter(({ action }) => action === 'webhook.secret.rotate');
    expect(rotations).toHaveLength(1);
  });

  it.each([{ immediately: 'yes' }, [], 'now'])('400: %j', async (body) => {
    const { id } = await newOwner();
    const url = `/operator/v1/${kind}/${id}/webhook/secret/rotate`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' };
    const answer = await server.call('POST', url, { headers, payload: JSON.stringify(body) });
    expect(answer.statusCode).toBe(400);
  });

  it('400: an id that is none', async () => {
    expect((await rotate('acme')).statusCode).toBe(400);
  });

  it('401: without the operator’s token', async () => {
    const { id } = await newOwner();
    expect((await server.call('POST', `/operator/v1/${kind}/${id}/webhook/secret/rotate`)).statusCode).toBe(401);
  });

  it('404: nobody, and what is of the other kind', async () => {
    const other = owners.find(([name]) => name !== kind)?.[1];
    for (const id of [NOBODY, (await other?.())?.id ?? '']) {
      const answer = await rotate(id);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().errorCode).toBe('RECEIVER_NOT_FOUND');
    }
  });

  it('409: two secrets sign already; after the overlap it is possible again', async () => {
    const { id } = await newOwner();
    await rotate(id);
    const refused = await rotate(id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().errorCode).toBe('SECRET_OVERLAP_RUNNING');
    server.clock.advance(6 * 3_600_000 + 1000);
    expect((await rotate(id)).statusCode).toBe(200);
  });
});
