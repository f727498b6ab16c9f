import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { actOn, customerIdOf, customerWithId } from '../../support/customers.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useSharedApp();

describe('200', () => {
  it('what partners, payers and the operator are shown follows, and the audit log says which fields alone', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const id = await customerIdOf(server, ada.paytag);
    const right = {
      firstName: 'Adaeze',
      lastName: 'Obi-Eze',
      otherName: 'Ngozi',
      dateOfBirth: '18-05-1991',
      address: '7 Allen Avenue',
    };
    const answer = await actOn(server, id, 'correct', right);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ name: 'Adaeze Ngozi Obi-Eze', yearOfBirth: 1991, hasAddress: true });
    const seen = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: partner.headers });
    expect(seen.json()).toMatchObject({ PayTag: { Name: 'Adaeze Ngozi Obi-Eze' } });
    const { data } = (await server.call('GET', `/api/v1/tags/${ada.paytag}`)).json();
    expect(JSON.stringify(data)).toContain('Adaeze Ngozi Obi-Eze');
    const revealed = (await actOn(server, id, 'reveal')).json();
    expect(revealed).toMatchObject({ dateOfBirth: '1991-05-18', address: '7 Allen Avenue', phone: ada.phone });
    const entries = await auditOf(server, id);
    expect(entries[0]).toMatchObject({ action: 'customer.correct', after: { fields: Object.keys(right) } });
    for (const value of ['Adaeze', 'Obi', '1991', 'Allen']) expect(JSON.stringify(entries[0])).not.toContain(value);
  });

  it('what is left out stays', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    const answer = await actOn(server, id, 'correct', { lastName: 'Eze' });
    expect(answer.json()).toMatchObject({ name: 'Ada Eze', yearOfBirth: 1990, paytag: person.paytag });
  });
});
