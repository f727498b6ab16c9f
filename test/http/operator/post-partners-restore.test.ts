import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';

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
