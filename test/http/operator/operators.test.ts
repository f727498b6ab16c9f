import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf, newOperator, operateAs } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useApp({ OPERATOR_TOKEN_TTL_D: '30' });

describe('GET /operators', () => {
  it('lists operators newest first, with when each was last used, and never a token', async () => {
    const first = await newOperator(server, 'finance');
    const second = await newOperator(server, 'viewer');
    server.clock.advance(3_600_000);
    const now = server.clock.now().getTime();
    await first.operate('GET', '/operators/me');
    const answer = await server.operate('GET', '/operators');
    expect(answer.json()).toMatchObject({
      count: 2,
      items: [{ id: second.id }, { id: first.id, lastUsedAt: expect.any(String) }],
    });
    expect(Date.parse(answer.json().items[1].lastUsedAt)).toBeGreaterThanOrEqual(now);
    expect(answer.json().items[0]).not.toHaveProperty('lastUsedAt');
    expect(answer.body).not.toContain('op_sandbox');
  });

  it('or those of a status', async () => {
    const { id } = await newOperator(server, 'viewer');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'left' });
    const disabled = await server.operate('GET', '/operators?status=DISABLED');
    expect(disabled.json()).toMatchObject({ count: 1, items: [{ id, status: 'DISABLED' }] });
  });
});

describe('GET /operators/me', () => {
  it('tells who one is, and what one may do', async () => {
    const { id, name, operate } = await newOperator(server, 'finance');
    expect((await operate('GET', '/operators/me')).json()).toEqual({
      id,
      name,
      role: 'finance',
      tokenExpiresAt: expect.stringMatching(/Z$/),
    });
    expect((await server.operate('GET', '/operators/me')).json()).toEqual({ id: 'root', name: 'root', role: 'admin' });
  });
});

describe('POST /operators', () => {
  const DAY_MS = 24 * 3_600_000;
  const create = (body: object) => server.operate('POST', '/operators', body);

  it('makes an operator whose token is shown once, stored as a digest, and valid as long as configured', async () => {
    const answer = await create({ name: 'Ngozi Eze', role: 'support', reason: 'joined today' });
    expect(answer.statusCode).toBe(201);
    const { token, ...operator } = answer.json<Record<string, string>>();
    expect(operator).toEqual({
      id: expect.any(String),
      name: 'Ngozi Eze',
      role: 'support',
      status: 'ACTIVE',
      expiresAt: new Date(Date.parse(operator['createdAt'] ?? '') + 30 * DAY_MS).toISOString(),
      createdAt: expect.any(String),
      updatedAt: operator['createdAt'],
    });
    expect(token).toMatch(/^op_sandbox_[\w-]{43}$/);
    expect((await server.operate('GET', '/operators')).json().items[0]).toEqual(operator);
    const me = await operateAs(server, token ?? '')('GET', '/operators/me');
    expect(me.json()).toEqual({
      id: operator['id'],
      name: 'Ngozi Eze',
      role: 'support',
      tokenExpiresAt: operator['expiresAt'],
    });

    const { rows } = await server.owner.query('select o::text as row from operators.operator o');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(server.logged).not.toContain(token);
  });

  it('what they do stands in the audit log under their name and id, and is found by the id', async () => {
    const admin = await newOperator(server, 'admin');
    const partner = { name: 'Acme', redirectUrl: 'https://acme.example/callback' };
    const { id } = (await admin.operate('POST', '/partners', partner)).json<{ id: string }>();
    expect(await auditOf(server, id)).toMatchObject([{ actor: admin.actor, action: 'partner.create' }]);
    expect(admin.actor).toBe(`operator:${admin.id} ${admin.name}`);
    for (const actor of [`operator:${admin.id}`, admin.actor]) {
      const found = await server.operate('GET', `/audit?actor=${encodeURIComponent(actor)}`);
      expect(found.json()).toMatchObject({ count: 1, items: [{ actor: admin.actor, target: id }] });
    }
  });

  it('409: a name is one person’s, in whatever case and for ever; root is taken', async () => {
    const { name, id } = await newOperator(server, 'viewer');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'left' });
    for (const taken of [name, name.toUpperCase(), 'Root']) {
      expect(refusalOf(await create({ name: taken, role: 'viewer' }))).toEqual([409, 'OPERATOR_NAME_TAKEN']);
    }
  });
});

describe('PATCH /operators/{id}', () => {
  const change = (id: string, body: object) =>
    server.operate('PATCH', `/operators/${id}`, { reason: 'moved', ...body });

  it('the role holds from the next call on', async () => {
    const { id, operate } = await newOperator(server, 'viewer');
    const suspend = () => operate('POST', `/partners/${NOBODY}/suspend`, { reason: 'fraud' });
    expect(refusalOf(await suspend())).toEqual([403, 'ROLE_REFUSED']);
    expect((await change(id, { role: 'support' })).json()).toMatchObject({ id, role: 'support' });
    expect(refusalOf(await suspend())).toEqual([404, 'PARTNER_NOT_FOUND']);
    await change(id, { role: 'viewer' });
    expect(refusalOf(await suspend())).toEqual([403, 'ROLE_REFUSED']);
  });
});

describe('POST /operators/{id}/rotate', () => {
  const alone = useApp();

  it('gives a token that is good from now on, instead of the one before', async () => {
    const { id, operate } = await newOperator(alone, 'support');
    alone.clock.advance(3_600_000);
    const answer = await alone.operate('POST', `/operators/${id}/rotate`);
    expect(answer.json()).toMatchObject({ id, token: expect.stringMatching(/^op_sandbox_/) });
    const { updatedAt, expiresAt } = answer.json<Record<'updatedAt' | 'expiresAt', string>>();
    expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(90 * 24 * 3_600_000);
    expect(refusalOf(await operate('GET', '/partners'))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await operateAs(alone, answer.json().token)('GET', '/partners')).statusCode).toBe(200);
  });

  it('everybody may rotate their own, and an admin alone another’s', async () => {
    const viewer = await newOperator(alone, 'viewer');
    const finance = await newOperator(alone, 'finance');
    const ofAnother = await finance.operate('POST', `/operators/${viewer.id}/rotate`, {});
    expect(refusalOf(ofAnother)).toEqual([403, 'ROLE_REFUSED']);
    const own = await viewer.operate('POST', `/operators/${viewer.id}/rotate`, {});
    expect((await operateAs(alone, own.json().token)('GET', '/partners')).statusCode).toBe(200);
  });
});

describe('POST /operators/{id}/disable', () => {
  const other = useApp({}, server);
  const disable = (id: string, reason = 'left') => server.operate('POST', `/operators/${id}/disable`, { reason });

  it('every process refuses them from the next call on', async () => {
    const { id, token } = await newOperator(server, 'admin');
    const calls = [server, other].map((process) => () => operateAs(process, token)('GET', '/partners'));
    for (const call of calls) expect((await call()).statusCode).toBe(200);
    expect((await disable(id)).json()).toMatchObject({ id, status: 'DISABLED' });
    for (const call of calls) expect(refusalOf(await call())).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

describe('POST /operators/{id}/enable', () => {
  const enable = (id: string, reason = 'back') => server.operate('POST', `/operators/${id}/enable`, { reason });

  it('lets them in again with a new token; the old one stays refused', async () => {
    const { id, operate } = await newOperator(server, 'support');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'a lost laptop' });
    const answer = await enable(id);
    expect(answer.json()).toMatchObject({ id, status: 'ACTIVE', role: 'support' });
    expect(refusalOf(await operate('GET', '/partners'))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await operateAs(server, answer.json().token)('GET', '/partners')).statusCode).toBe(200);
  });
});
