import { sendNotices } from '#modules/customers';
import type { TextMessage } from '../../src/providers/messaging/port.ts';
import type { Answer, TestApp, TestPartner } from './app.ts';
import { newCustomer, type Person } from './onboarding.ts';
import { approve, newOperator } from './operators.ts';

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

/** A customer's session as the operator lists it. */
export interface ListedSession {
  id: string;
  customerId: string;
  partnerId: string;
  paytag: string;
  status: string;
}

/** Sessions as the operator lists them. */
export const sessionsOf = async (server: TestApp, query: string): Promise<ListedSession[]> =>
  (await server.operate('GET', `/sessions?${query}`)).json<{ items: ListedSession[] }>().items;

/** Signs an operator in at the console. @returns the id of that session */
export async function consoleSession(
  server: TestApp,
  { id, token }: { id: string; token: string },
): Promise<{ id: string; cookie: string }> {
  const answer = await server.call('POST', '/console/sign-in', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const listed = await server.operate('GET', `/operators/sessions?operatorId=${id}`);
  return { id: listed.json<{ items: { id: string }[] }>().items[0]?.id ?? '', cookie };
}

let people = 0;

/** The body of POST /partner/paytag for somebody new: a BVN, a phone and a tag that nobody else of this file has. */
export function paytagBody<Given extends object>(given: Given = {} as Given) {
  const number = String(++people).padStart(5, '0');
  return {
    firstName: 'Ada',
    lastName: 'Obi',
    phone: `080312${number}`,
    email: `ada.${number}@example.com`,
    bvn: `300000${number}`,
    dateOfBirth: '1994-05-17',
    tag: `ada${number}`,
    ...given,
  };
}

/** Sends what is due, and resolves to what was sent then. @param fail what the provider throws, if it does */
export async function sentNotices(server: TestApp, fail?: Error): Promise<TextMessage[]> {
  const sent: TextMessage[] = [];
  const texts = {
    async sendText(message: TextMessage) {
      if (fail !== undefined) throw fail;
      sent.push(message);
    },
  };
  await sendNotices({ ...server.resources, texts });
  return sent;
}
