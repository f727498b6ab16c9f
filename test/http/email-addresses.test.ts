import { expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { complete, createPayTag, newPerson, validatedSession } from '../support/onboarding.ts';

const server = useSharedApp();

it.each([
  ['ada@xn--bcher-kva.example', 200],
  ["o'brien+pay@example.co.uk", 200],
  ['ada@bücher.example', 400],
  ['ọlá@example.com', 400],
  ['ada..obi@example.com', 400],
  ['ada@[127.0.0.1]', 400],
])('each operation that makes a customer takes the same addresses: %s is %i', async (email, expected) => {
  const partner = await server.newPartner();
  const { headers } = partner;
  const person = newPerson();
  const session = await validatedSession(server, partner, newPerson());
  const answers = [
    await createPayTag(server, partner, { ...newPerson(), email }),
    await server.call('POST', '/v2/sso/create-tag', { headers, payload: { ...newPerson(), email } }),
    await complete(server, partner, session, { paytag: person.paytag, email }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([expected, expected, expected]);
});
