import type { Answer, TestApp, TestPartner } from './app.ts';
import { approve } from './approvals.ts';
import { newCustomer, type Person } from './onboarding.ts';
import { newOperator } from './operators.ts';

/** `POST /operator/v1/customers/find`. */
export const findCustomers = (server: TestApp, by: object): Promise<Answer> =>
  server.operate('POST', '/customers/find', by);

/** The customer's id, which only the operator sees. */
export async function customerIdOf(server: TestApp, paytag: string): Promise<string> {
  const { items } = (await findCustomers(server, { paytag })).json<{ items: { id: string }[] }>();
  const [found] = items;
  if (found === undefined) throw new Error(`nobody has the PayTag ${paytag}`);
  return found.id;
}

/** A new customer with a password, and their id. */
export async function customerWithId(server: TestApp, partner: TestPartner): Promise<{ person: Person; id: string }> {
  const person = await newCustomer(server, partner);
  return { person, id: await customerIdOf(server, person.paytag) };
}

/** `POST /operator/v1/customers/{id}/…`. */
export const actOn = (server: TestApp, id: string, what: string, body: object = {}): Promise<Answer> =>
  server.operate('POST', `/customers/${id}/${what}`, { reason: 'a test asks for it', ...body });

/** Hands a frozen customer's BVN back: root asks for it, and an admin approves. Resolves to the approval's answer. */
export async function handedBack(server: TestApp, id: string): Promise<Answer> {
  const asked = await actOn(server, id, 'hand-back-bvn');
  const admin = await newOperator(server, 'admin');
  return approve(admin, asked.json<{ id: string }>().id);
}
