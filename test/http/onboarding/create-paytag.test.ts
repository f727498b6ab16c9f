import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';

const server = useApp();
const counts = async () => {
  const { rows } = await server.owner.query(
    `select (select count(*) from customers.customer)::int as customers, (select count(*) from tags.tag)::int as tags,
            (select count(*) from applications.subject)::int as subjects,
            (select count(*) from wallets.partner_wallet)::int as wallets`,
  );
  return rows[0];
};

describe('a PayTag that a partner creates', () => {
  it('comes with customer, subject and wallet, or with none of them', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const before = await counts();
    expect((await createPayTag(server, partner, person)).statusCode).toBe(200);
    const after = await counts();
    for (const table of Object.keys(before)) expect(after[table]).toBe(before[table] + 1);

    const sameBvn = await createPayTag(server, partner, { ...newPerson(), bvn: person.bvn });
    expect(sameBvn.statusCode).toBe(409);
    expect(sameBvn.json()).toMatchObject({ errorCode: 'BVN_ALREADY_REGISTERED' });
    const sameTag = await createPayTag(server, partner, { ...newPerson(), paytag: person.paytag });
    expect(sameTag.json()).toMatchObject({ errorCode: 'PAYTAG_TAKEN' });
    expect(await counts()).toEqual(after);
  });

  it('goes to one of ten who ask for it at once', async () => {
    const partner = await server.newPartner();
    const attempts = Array.from({ length: 10 }, () =>
      createPayTag(server, partner, { ...newPerson(), paytag: 'wanted' }),
    );
    const codes = (await Promise.all(attempts)).map((answer) => answer.statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('is made once for a BVN that is given ten times at once', async () => {
    const partner = await server.newPartner();
    const { bvn } = newPerson();
    const attempts = Array.from({ length: 10 }, () => createPayTag(server, partner, { ...newPerson(), bvn }));
    const codes = (await Promise.all(attempts)).map((answer) => answer.statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
  });
});

describe('a PayTag that is linked by its BVN', () => {
  it('gives a partner one wallet, however often and however many at once it asks', async () => {
    const [maker, partner] = [await server.newPartner(), await server.newPartner()];
    const person = newPerson();
    const made = (await createPayTag(server, maker, person)).json<{ Reference: string }>();
    const link = () => server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: partner.headers });
    const answers = await Promise.all(Array.from({ length: 10 }, link));
    const references = answers.map((answer) => answer.json<{ Reference: string }>().Reference);
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(new Set(references).size).toBe(1);
    expect(references[0]).not.toBe(made.Reference);
  });
});
