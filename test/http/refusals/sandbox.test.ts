import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { newPerson, startSession } from '../../support/onboarding.ts';
import {
  type At,
  again,
  body,
  each,
  eachPath,
  path,
  query,
  type Refusals,
  testRefusals,
} from '../../support/refusals.ts';
import { newSide } from '../../support/switch.ts';
import { changeWallet, moveMoney, newWallet } from '../../support/wallets.ts';
import { goodRequestsOfSandbox } from '../every-operation/good-requests.ts';

const server = useApp();

/** The good request about a new wallet of another partner, to which something has happened. */
const ofWallet =
  (status: string, naira = 0) =>
  async (at: At) => {
    const partner = await server.newPartner({ float: 100 });
    const { reference } = await newWallet(server, partner);
    if (naira > 0) await moveMoney(server, partner, reference, 'credit', { amount: naira, reference: 'in' });
    await changeWallet(server, reference, { status });
    return { ...(await path({ reference })(at)), headers: partner.headers };
  };
const by =
  (caller: () => Promise<{ headers: object }>) =>
  async ({ good }: At) => ({ ...(await good()), headers: { ...(await caller()).headers } });
const payment = { REFERENCE_REUSED: [again({ amount: 2 })] };
const time = { INVALID_PARAMETER: each('seconds', undefined, 0) };
const simulated = { INVALID_PARAMETER: eachPath('provider', 'pigeon') };

const refusals: Refusals = {
  'POST /v2/sandbox/wallet/{reference}/credit': payment,
  'POST /v2/sandbox/wallet/{reference}/debit': {
    ...payment,
    WALLET_BLOCKED: [ofWallet('Blocked', 5)],
    INSUFFICIENT_FUNDS: each('amount', 10_000_000),
    WALLET_PND: [ofWallet('PND', 5)],
  },
  'POST /v2/sandbox/payment/gateway': { ...payment, WALLET_NOT_FOUND: each('walletReference', 'PW-nobody') },
  'POST /v2/sandbox/payment/terminal': {
    ...payment,
    TERMINAL_NOT_FOUND: each('terminal', 'SN-nobody'),
    SPLIT_NOT_FOUND: each('split', 'SPL-nobody'),
  },
  'POST /v2/sandbox/payment/inbound': { ...payment, WALLET_NOT_FOUND: each('nuban', '0000000000') },
  'POST /v2/sandbox/terminal/{terminal}/split/{split}/pay': {
    ...payment,
    TERMINAL_NOT_FOUND: eachPath('terminal', 'SN-nobody'),
    SPLIT_NOT_FOUND: eachPath('split', 'SPL-nobody'),
  },
  'GET /v2/sandbox/otp': {
    INVALID_PARAMETER: [query({ session: undefined })],
    SESSION_NOT_FOUND: [query({ session: 'nobody' }), by(() => server.newPartner())],
    OTP_NOT_SENT: [
      async (at) => {
        const partner = await server.newPartner();
        const session = await startSession(server, partner, newPerson());
        return { ...(await query({ session })(at)), headers: partner.headers };
      },
    ],
  },
  'POST /v2/sandbox/hooks/{mode}/{key}': {
    INVALID_PARAMETER: eachPath('mode', '201'),
    RECEIVER_NOT_FOUND: [
      ...eachPath('key', 'nobody', '0'.repeat(64)),
      async ({ good }) => {
        const { headers } = await server.newPartner();
        const { urls } = (await server.call('GET', '/v2/sandbox/hooks', { headers })).json<{ urls: { 200: string } }>();
        const made = await good();
        return { ...made, url: made.url.slice(0, -32) + urls['200'].slice(-32) };
      },
    ],
  },
  'POST /v2/sandbox/time': time,
  'POST /v2/sandbox/application/time': time,
  'PUT /v2/sandbox/providers/{provider}': simulated,
  'DELETE /v2/sandbox/providers/{provider}': simulated,
  'PUT /v2/sandbox/application/providers/{provider}': simulated,
  'DELETE /v2/sandbox/application/providers/{provider}': simulated,
  'POST /v2/sandbox/events': {
    INVALID_PARAMETER: each('event', 'wallet.closed'),
    WEBHOOK_URL_NOT_SET: [by(() => server.newPartner())],
  },
  'POST /v2/sandbox/application/events': {
    INVALID_PARAMETER: each('event', 'wallet.credited'),
    WEBHOOK_URL_NOT_SET: [by(() => newApplication(server))],
  },
  'POST /v2/sandbox/application/transaction': {
    TAG_NOT_FOUND: [
      ...each('receiverTag', 'nobody-has-this'),
      async (at) => body({ receiverTag: (await newSide(server)).tag })(at),
    ],
    REFERENCE_REUSED: [again({ amount: 2 })],
  },
  'POST /v2/sandbox/application/wallet/credit': { REFERENCE_REUSED: [again({ amount: 2 })] },
};

testRefusals(server, {
  paths: /^\/v2\/sandbox\//,
  good: [goodRequestsOfSandbox],
  refusals,
  stories: [
    'SESSION_EXPIRED',
    'WALLET_BLOCKED',
    'EVENT_NOT_WANTED',
    'PROVIDER_NOT_SIMULATED',
    'BALANCE_EXCEEDED',
    'WALLET_PND',
    'INSUFFICIENT_FUNDS',
    'WALLET_PNC',
    'TRANSACTION_NOT_REVERSIBLE',
    'TAG_NOT_PAYABLE',
  ],
});
