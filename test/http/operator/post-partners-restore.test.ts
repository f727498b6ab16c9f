import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const restore = (id: string, body: object = { reason: 'settled' }) =>
  server.operate('POST', `/partners/${id}/restore`, body);
const suspended = async () => {
  const partner = await server.newPartner();
  await server.operate('POST', `/partners/${partner.id}/suspend`, { reason: 'a complaint' });
  return partner;
};

describe('200', () => {
  it('takes its calls again, with the key it had, and is audited with its reason', async () => {
    const { id, headers } = await suspended();
    const answer = await restore(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, status: 'ACTIVE' });
    expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(200);
    expect((await auditOf(server, id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'partner.restore',
      before: { status: 'SUSPENDED' },
      after: { status: 'ACTIVE' },
      reason: 'settled',
    });
  });
});

describe('400', () => {
  it('no reason, and an invalid id', async () => {
    const { id } = await suspended();
    expect(refusalOf(await restore(id, {}))).toEqual([400, 'INVALID_PARAMETER']);
    expect(refusalOf(await restore('acme'))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('an unknown partner', async () => {
    expect(refusalOf(await restore(NOBODY))).toEqual([404, 'PARTNER_NOT_FOUND']);
  });
});

describe('409', () => {
  it('one that is not suspended, and nothing is audited', async () => {
    const { id } = await server.newPartner();
    const entries = await auditOf(server, id);
    expect(refusalOf(await restore(id))).toEqual([409, 'PARTNER_STATUS_CONFLICT']);
    expect(await auditOf(server, id)).toEqual(entries);
  });
});
