import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { actOn, customerIdOf, customerWithId } from '../../support/customers.ts';
import { paytagBody } from '../../support/paytag-body.ts';

const server = useSharedApp();

describe('200', () => {
  it('what is masked elsewhere in the clear, and the audit log says which fields, not what they hold', async () => {
    const { headers } = await server.newPartner();
    const body = paytagBody({ address: '7 Allen Avenue, Ikeja' });
    await server.call('POST', '/v2/partner/paytag', { headers, payload: body });
    const id = await customerIdOf(server, body.tag);
    const answer = await actOn(server, id, 'reveal');
    expect(answer.statusCode).toBe(200);
    const phone = `+234${body.phone.slice(1)}`;
    const { bvn, email, dateOfBirth, address } = body;
    expect(answer.json()).toEqual({ id, bvn, phone, email, dateOfBirth, address });
    const entries = await auditOf(server, id);
    expect(entries).toMatchObject([
      {
        action: 'customer.reveal',
        reason: 'a test asks for it',
        after: { fields: ['bvn', 'phone', 'email', 'dateOfBirth', 'address'] },
      },
    ]);
    for (const secret of [bvn, phone, email, dateOfBirth, address]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
      expect(server.logged).not.toContain(secret);
    }
  });

  it('the fields that are asked for, and of these what is on record', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    const answer = await actOn(server, id, 'reveal', { fields: ['phone', 'address'] });
    expect(answer.json()).toEqual({ id, phone: person.phone });
  });
});
