import type { TestApp } from '../support/app.ts';
import { newApplication, type TestApplication } from '../support/application.ts';
import { endAll, partnerWithEvents } from '../support/deliveries.ts';
import { newOperator } from '../support/operators.ts';
import { newTag } from '../support/tags.ts';
import { newTerminal } from '../support/terminals.ts';
import { earn, fundedWallet, kycWallet, newWallet, waitingPayment } from '../support/wallets.ts';
import { changesOfCustomers } from './operator-changes-of-customers.ts';
import { changesOfRails } from './operator-changes-of-rails.ts';

/** Something that the operator does, to a thing of its own that is ready for it. */
export interface OperatorChange {
  /** Below /operator/v1. */
  url: string;
  body: object;
  /** What the audit log calls it, and of what; without a target the `id` of the answer. */
  action: string;
  target?: string;
  /** What of its own it writes to the audit log besides, in this order, before that entry. */
  besides?: string[];
  /** What is audited after it, because it is done with it. */
  also?: string[];
  /** What no entry may hold, besides the secrets of the answer: credentials, and who people are. */
  secrets?: string[];
}

/** By `METHOD path`, each made ready. */
export type OperatorChanges = Readonly<Record<string, (server: TestApp, unique: string) => Promise<OperatorChange>>>;

const REASON = { reason: 'a complaint' };
const PERSON = { name: 'Ngozi Umeh', email: 'ngozi@umeh.example', phoneNumber: '+2348035550199' };

const changeOfPartner = async (
  server: TestApp,
  url: string,
  action: string,
  body: object = REASON,
): Promise<OperatorChange> => {
  const { id, headers, webhookSecret } = await server.newPartner({ float: 100 });
  return {
    url: `/partners/${id}${url}`,
    body,
    action,
    target: id,
    secrets: [...Object.values(headers), webhookSecret],
  };
};

const changeOfApplication = async (
  server: TestApp,
  url: string,
  given: { action: string; body?: object; after?: string },
): Promise<OperatorChange> => {
  const application: TestApplication = await newApplication(server, 'Umeh Stores');
  const { applicationId: id, client_id, client_secret } = application;
  if (given.after !== undefined) await server.operate('POST', `/applications/${id}/${given.after}`, REASON);
  const secrets = [client_id, client_secret, application.headers.authorization];
  return { url: `/applications/${id}/${url}`, body: given.body ?? REASON, action: given.action, target: id, secrets };
};

const changeOfTag = async (server: TestApp, what: string, before?: string): Promise<OperatorChange> => {
  const tag = await newTag(server, await newApplication(server));
  if (before !== undefined) await server.operate('POST', `/tags/${tag}/${before}`, REASON);
  const { id } = (await server.operate('GET', `/tags/${tag}`)).json<{ id: string }>();
  return { url: `/tags/${tag}/${what}`, body: REASON, action: `tag.${what}`, target: id };
};

const changeOfWallet = async (
  server: TestApp,
  url: string,
  action: string,
  body: object = REASON,
): Promise<OperatorChange> => {
  const { reference, nuban } = await newWallet(server, await server.newPartner());
  return { url: `/wallets/${reference}${url}`, body, action, target: reference, secrets: [nuban, 'Okafor'] };
};

const changeOfOperator = async (
  server: TestApp,
  url: string,
  action: string,
  body: object = REASON,
): Promise<OperatorChange> => {
  const { id, token } = await newOperator(server, 'viewer');
  return { url: `/operators/${id}${url}`, body, action, target: id, secrets: [token] };
};

/** Asks, as root, for more than may be moved without approval. */
const newRequest = async (server: TestApp, reference: string): Promise<string> => {
  const { id } = await server.newPartner();
  const asked = await server.operate('POST', `/partners/${id}/float`, { amount: 5000, reference });
  return asked.json<{ id: string }>().id;
};

/** Each operation of the operator's document that changes something, as `METHOD path`, made ready. */
export const operatorChanges: OperatorChanges = {
  'POST /partners': async () => ({
    url: '/partners',
    body: { name: 'Acme', redirectUrl: 'https://acme.example/callback', webhookUrl: 'http://127.0.0.1:9/hooks' },
    action: 'partner.create',
  }),
  'PATCH /partners/{id}': (server) => changeOfPartner(server, '', 'partner.change', { ...REASON, name: 'Other' }),
  'POST /partners/{id}/suspend': (server) => changeOfPartner(server, '/suspend', 'partner.suspend'),
  'POST /partners/{id}/restore': async (server) => {
    const change = await changeOfPartner(server, '/restore', 'partner.restore');
    await server.operate('POST', `/partners/${change.target}/suspend`, REASON);
    return change;
  },
  'POST /partners/{id}/keys': (server) => changeOfPartner(server, '/keys', 'partner.key.add'),
  'POST /partners/{id}/keys/{keyId}/revoke': async (server) => {
    const change = await changeOfPartner(server, '/keys/', 'partner.key.revoke');
    const { keys } = (await server.operate('GET', `/partners/${change.target}`)).json();
    return { ...change, url: `${change.url}${keys[0].id}/revoke` };
  },
  'POST /partners/{id}/float': (server, reference) =>
    changeOfPartner(server, '/float', 'float.fund', { amount: 1, reference }),
  'POST /partners/{id}/settlement': (server, reference) =>
    changeOfPartner(server, '/settlement', 'float.settle', { amount: 1, reference }),
  'POST /partners/{id}/webhook/secret/rotate': (server) =>
    changeOfPartner(server, '/webhook/secret/rotate', 'webhook.secret.rotate', {}),
  'POST /applications/{id}/approve': async (server) => {
    const change = await changeOfApplication(server, 'approve', { action: 'application.approve' });
    await server.owner.query(`update applications.application set status = 'PENDING' where id = $1`, [change.target]);
    return change;
  },
  'POST /applications/{id}/suspend': (server) =>
    changeOfApplication(server, 'suspend', { action: 'application.suspend' }),
  'POST /applications/{id}/restore': async (server) => {
    const given = { action: 'approval.request', after: 'suspend' }; // its test money waits
    const { target: _itself, ...change } = await changeOfApplication(server, 'restore', given);
    return change;
  },
  'POST /applications/{id}/fund': (server, reference) =>
    changeOfApplication(server, 'fund', { action: 'application.fund', body: { amount: 1, reference } }),
  'POST /applications/{id}/settlement': (server, reference) =>
    changeOfApplication(server, 'settlement', { action: 'application.settle', body: { amount: 1, reference } }),
  'POST /remittances': async (server, reference) => {
    await earn(server, 100n);
    const body = { ...REASON, account: 'FEE', amount: 1, reference };
    return { url: '/remittances', body, action: 'account.remit', target: 'FEE' };
  },
  'POST /applications/{id}/secret/rotate': (server) =>
    changeOfApplication(server, 'secret/rotate', { action: 'application.secret.rotate', body: {} }),
  'POST /applications/{id}/webhook/secret/rotate': (server) =>
    changeOfApplication(server, 'webhook/secret/rotate', { action: 'webhook.secret.rotate', body: {} }),
  'POST /tags/{tag}/suspend': (server) => changeOfTag(server, 'suspend'),
  'POST /tags/{tag}/restore': (server) => changeOfTag(server, 'restore', 'suspend'),
  'POST /tags/{tag}/close': (server) => changeOfTag(server, 'close'),
  'POST /deliveries/{id}/resend': async (server) => {
    const { partner } = await partnerWithEvents(server);
    const { items } = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json();
    return { url: `/deliveries/${items[0].id}/resend`, body: {}, action: 'delivery.resend', target: items[0].id };
  },
  'POST /deliveries/replay': async (server) => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, 'status 503');
    const body = { ...REASON, partnerId: partner.id };
    return { url: '/deliveries/replay', body, action: 'delivery.replay', target: partner.id };
  },
  'POST /receivers/{ownerId}/pause': async (server) => {
    const { id } = await server.newPartner();
    return { url: `/receivers/${id}/pause`, body: REASON, action: 'receiver.pause', target: id };
  },
  'POST /receivers/{ownerId}/resume': async (server) => {
    const { id } = await server.newPartner();
    await server.operate('POST', `/receivers/${id}/pause`, REASON);
    return { url: `/receivers/${id}/resume`, body: REASON, action: 'receiver.resume', target: id };
  },
  'POST /terminals': async (server, serialNumber) => {
    const { id: partnerId } = await server.newPartner();
    const { email, phoneNumber } = PERSON;
    const body = { partnerId, serialNumber, email, phoneNumber };
    return { url: '/terminals', body, action: 'terminal.create', target: serialNumber, secrets: [email, phoneNumber] };
  },
  'POST /terminals/{serialNumber}/splits': async (server, reference) => {
    const terminal = await newTerminal(server, await server.newPartner());
    const body = { amount: 10, title: 'Phone', reference };
    return { url: `/terminals/${terminal}/splits`, body, action: 'split.create', target: reference };
  },
  'POST /transactions': async (server, reference) => {
    const { id: partnerId } = await server.newPartner();
    const sender = { name: PERSON.name, paytag: 'ngozi' };
    const body = { type: 'PARTNER_GATEWAY', partnerId, amount: 5, reference, sender, comment: PERSON.phoneNumber };
    return { url: '/transactions', body, action: 'payment.report', target: reference, secrets: Object.values(PERSON) };
  },
  'POST /transactions/{reference}/refund': async (server, reference) => {
    const { partner } = await fundedWallet(server, 10);
    const body = { ...REASON, partnerId: partner.id, reference };
    return { url: '/transactions/opening/refund', body, action: 'transaction.refund', target: 'opening' };
  },
  'POST /transactions/{reference}/reverse': async (server, reference) => {
    const { partner } = await fundedWallet(server, 10);
    const body = { ...REASON, partnerId: partner.id, reference };
    return { url: '/transactions/opening/reverse', body, action: 'transaction.reverse', target: 'opening' };
  },
  'POST /suspense/{id}/resolve': async (server) => {
    const { id, reference } = await waitingPayment(server, await server.newPartner());
    const body = { ...REASON, to: 'float' };
    return { url: `/suspense/${id}/resolve`, body, action: 'suspense.resolve', target: reference };
  },
  'PATCH /wallets/{reference}': (server) => changeOfWallet(server, '', 'wallet.change', { ...REASON, status: 'PND' }),
  'POST /wallets/{reference}/revoke': (server) => changeOfWallet(server, '/revoke', 'wallet.revoke'),
  'POST /wallets/{reference}/liens': (server) =>
    changeOfWallet(server, '/liens', 'wallet.lien.place', { ...REASON, amount: 5 }),
  'POST /wallets/{reference}/liens/{id}/lift': async (server) => {
    const wallet = await kycWallet(server, await server.newPartner());
    const { id } = (await server.operate('POST', `/wallets/${wallet}/liens`, { ...REASON, amount: 5 })).json();
    return { url: `/wallets/${wallet}/liens/${id}/lift`, body: REASON, action: 'wallet.lien.lift', target: wallet };
  },
  'POST /keys/{kid}/revoke': async (server) => {
    const { current } = (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<{
      current: string;
    }>();
    return { url: `/keys/${current}/revoke`, body: REASON, action: 'keys.revoke', target: current };
  },
  'POST /approvals/{id}/approve': async (server, reference) => {
    const id = await newRequest(server, reference);
    return { url: `/approvals/${id}/approve`, body: {}, action: 'approval.approve', target: id, also: ['float.fund'] };
  },
  'POST /approvals/{id}/reject': async (server, reference) => {
    const id = await newRequest(server, reference);
    return { url: `/approvals/${id}/reject`, body: REASON, action: 'approval.reject', target: id };
  },
  'POST /operators': async (_server, name) => ({
    url: '/operators',
    body: { name, role: 'viewer' },
    action: 'operator.create',
  }),
  'PATCH /operators/{id}': (server) => changeOfOperator(server, '', 'operator.role', { ...REASON, role: 'support' }),
  'POST /operators/{id}/rotate': (server) => changeOfOperator(server, '/rotate', 'operator.token.rotate', {}),
  'POST /operators/{id}/disable': (server) => changeOfOperator(server, '/disable', 'operator.disable'),
  'POST /operators/{id}/enable': async (server) => {
    const change = await changeOfOperator(server, '/enable', 'operator.enable');
    await server.operate('POST', `/operators/${change.target}/disable`, REASON);
    return change;
  },
  ...changesOfCustomers,
  ...changesOfRails,
  'POST /keys/rotate': async () => ({
    url: '/keys/rotate',
    body: { ...REASON, immediately: true },
    action: 'keys.rotate',
    target: 'signing-keys',
  }),
};
