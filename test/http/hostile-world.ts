import type { TestApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { partnerWithEvents } from '../support/deliveries.ts';
import { type Described, exampleOf } from '../support/described.ts';
import { createPayTag, customerToken, newCustomer, newPerson } from '../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { newWallet } from '../support/wallets.ts';

/** What requests that are wrong in one thing are right in. */
export interface HostileWorld {
  /** Values of the path parameters of an operation. */
  goodFor(described: Described): Readonly<Record<string, string>>;
  /** The bodies that an operation takes; none where it takes none. */
  bodiesFor(described: Described): Record<string, unknown>[];
  /** Credentials of everybody who may call an operation. */
  headersFor(described: Described): Record<string, string>;
}

/** The bodies of an operation that does several things by their `type`. */
const kinds = [
  { type: 'PARTNER_TERMINAL', terminal: '', amount: 1, reference: 'hostile-1', sender: {}, comment: 'x', metadata: {} },
  { type: 'INBOUND', nuban: '', amount: 1, reference: 'hostile-2', sender: { name: 'Bola' }, comment: 'x' },
];

let worlds = 0;

/** Makes the things, new ones each time, that hostile requests name. */
export async function makeHostileWorld(server: TestApp): Promise<HostileWorld> {
  const serialNumber = `SN-HOSTILE-${++worlds}`;
  const partner = await server.newPartner({ float: 1000 });
  const customer = await newCustomer(server, partner);
  const token = await customerToken(server, partner, customer.paytag);
  const made = await createPayTag(server, partner, newPerson());
  const application = await newApplication(server);
  await server.operate('POST', '/terminals', { partnerId: partner.id, serialNumber });
  const ended = await operatorsThings(server);

  const credentials: Record<string, string> = { ...partner.headers, 'x-terminal': serialNumber };
  const bearers: Record<string, string> = {
    customer: `Bearer ${token}`,
    application: application.headers.authorization,
    operator: `Bearer ${OPERATOR_TOKEN}`,
  };
  /** Real names of things, so that what is wrong with a request is met with a right path; by operations, where they differ. */
  const good = {
    reference: made.json<{ Reference: string }>().Reference,
    tag: customer.paytag,
    ownerId: ended.partnerId,
    serialNumber,
  };
  const goodUnder: Record<string, Record<string, string>> = {
    '/operator/v1/applications/': { id: application.applicationId },
    '/operator/v1/deliveries/': { id: ended.deliveryId },
    '/operator/v1/partners/': { id: ended.partnerId, keyId: ended.keyId },
    '/operator/v1/transactions/': { reference: 'credit' },
    '/operator/v1/wallets/': { reference: ended.wallet, id: ended.lienId },
  };
  /** What a body needs beside its example, to be wrong in one thing alone. */
  const members: Record<string, string> = {
    partnerId: ended.partnerId,
    terminal: serialNumber,
    nuban: ended.nuban,
    walletReference: ended.wallet,
  };

  return {
    goodFor: ({ path }) =>
      Object.assign(
        {},
        good,
        ...Object.entries(goodUnder).flatMap(([under, own]) => (path.startsWith(under) ? [own] : [])),
      ),
    bodiesFor(described) {
      const example = exampleOf(described);
      if (example === undefined) return [];
      const all = described.path === '/operator/v1/transactions' ? [example, ...kinds] : [example];
      return all.map((body) => {
        const known = Object.entries(members).filter(([member]) => member in body);
        return { ...body, ...Object.fromEntries(known) };
      });
    },
    headersFor({ operation }) {
      const schemes = Object.keys(operation.security?.[0] ?? {});
      const bearer = schemes.map((scheme) => bearers[scheme]).find((value) => value !== undefined);
      return { ...credentials, ...(bearer === undefined ? {} : { authorization: bearer }) };
    },
  };
}

/** Things that the operator ends: others than those the callers need. */
async function operatorsThings(server: TestApp) {
  const { partner, wallet } = await partnerWithEvents(server);
  const { nuban } = await newWallet(server, partner);
  const deliveries = await server.operate('GET', `/deliveries?partnerId=${partner.id}`);
  const { keys } = (await server.operate('GET', `/partners/${partner.id}`)).json<{ keys: { id: string }[] }>();
  const lien = await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason: 'a test' });
  return {
    partnerId: partner.id,
    wallet,
    nuban,
    deliveryId: deliveries.json<{ items: { id: string }[] }>().items[0]?.id ?? '',
    keyId: keys[0]?.id ?? '',
    lienId: String(lien.json<{ id: number }>().id),
  };
}
