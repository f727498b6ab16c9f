import type { TestApp } from '../support/app.ts';
import { consoleSession, customerWithId, sessionsOf } from '../support/customers.ts';
import type { Person } from '../support/onboarding.ts';
import { newOperator } from '../support/operators.ts';
import { throttledLogin } from '../support/throttled.ts';
import { loggedIn } from '../support/wallets.ts';
import type { OperatorChange, OperatorChanges } from './operator-changes.ts';

const REASON = { reason: 'a complaint' };

const changeOfCustomer = async (
  server: TestApp,
  what: 'freeze' | 'release' | 'reveal' | 'export' | 'erase' | 'correct',
  besides: string[] = [],
): Promise<OperatorChange> => {
  const { person, id } = await customerWithId(server, await server.newPartner());
  if (what === 'release') await server.operate('POST', `/customers/${id}/freeze`, REASON);
  const action = `customer.${what}`;
  const body = what === 'correct' ? { ...REASON, lastName: 'Okonkwo' } : REASON;
  return { url: `/customers/${id}/${what}`, body, action, target: id, besides, secrets: secretsOf(person) };
};

const secretsOf = ({ bvn, phone, email, dateOfBirth }: Person) => [bvn, phone, email, dateOfBirth];

/** What the operator does to customers. */
export const changesOfCustomers: OperatorChanges = {
  'POST /customers/find': async (server) => {
    const { person } = await customerWithId(server, await server.newPartner());
    const { bvn } = person;
    return { url: '/customers/find', body: { bvn }, action: 'customer.find', target: 'customers', secrets: [bvn] };
  },
  'POST /search': async (server) => {
    const { person } = await customerWithId(server, await server.newPartner());
    const { bvn } = person;
    return { url: '/search', body: { q: bvn }, action: 'customer.find', target: 'customers', secrets: [bvn] };
  },
  'POST /customers/{id}/export': (server) => changeOfCustomer(server, 'export'),
  'POST /customers/{id}/erase': (server) => changeOfCustomer(server, 'erase', ['wallet.revoke', 'tag.close']),
  'POST /customers/{id}/correct': (server) => changeOfCustomer(server, 'correct'),
  'POST /customers/{id}/reveal': (server) => changeOfCustomer(server, 'reveal'),
  'POST /customers/reveal': async (server) => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    const body = { ...REASON, ids: [id] };
    return { url: '/customers/reveal', body, action: 'approval.request', secrets: secretsOf(person) };
  },
  'POST /customers/{id}/sessions/end': async (server) => {
    const { id } = await customerWithId(server, await server.newPartner());
    return { url: `/customers/${id}/sessions/end`, body: REASON, action: 'customer.sessions.end', target: id };
  },
  'POST /sessions/{id}/end': async (server) => {
    const partner = await server.newPartner();
    const { headers } = await loggedIn(server, partner);
    const [session] = await sessionsOf(server, `partnerId=${partner.id}`);
    const secrets = Object.values(headers);
    return {
      url: `/sessions/${session?.id}/end`,
      body: REASON,
      action: 'session.end',
      target: session?.customerId ?? '',
      secrets,
    };
  },
  'POST /operators/sessions/{id}/end': async (server) => {
    const who = await newOperator(server, 'viewer');
    const { id, cookie } = await consoleSession(server, who);
    const secrets = [who.token, cookie];
    return {
      url: `/operators/sessions/${id}/end`,
      body: REASON,
      action: 'operator.session.end',
      target: who.id,
      secrets,
    };
  },
  'POST /throttles/{id}/lift': async (server) => {
    const { paytag, throttle } = await throttledLogin(server);
    const { id } = throttle;
    return { url: `/throttles/${id}/lift`, body: REASON, action: 'throttle.lift', target: id, secrets: [paytag] };
  },
  'POST /customers/{id}/freeze': (server) => changeOfCustomer(server, 'freeze', ['wallet.change', 'tag.suspend']),
  'POST /customers/{id}/release': (server) => changeOfCustomer(server, 'release', ['wallet.change', 'tag.restore']),
  // It waits for another operator: what is audited is the request.
  'POST /customers/{id}/hand-back-bvn': async (server) => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    await server.operate('POST', `/customers/${id}/freeze`, REASON);
    const url = `/customers/${id}/hand-back-bvn`;
    return { url, body: REASON, action: 'approval.request', secrets: secretsOf(person) };
  },
};
