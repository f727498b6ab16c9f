import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ OPERATOR_TOKEN_TTL_D: '30' });
const DAY_MS = 24 * 3_600_000;
const create = (body: object) => server.operate('POST', '/operators', body);

describe('201', () => {
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
});

describe('409', () => {
  it('a name is one person’s, in whatever case and for ever; root is taken', async () => {
    const { name, id } = await newOperator(server, 'viewer');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'left' });
    for (const taken of [name, name.toUpperCase(), 'Root']) {
      expect(refusalOf(await create({ name: taken, role: 'viewer' }))).toEqual([409, 'OPERATOR_NAME_TAKEN']);
    }
  });
});
