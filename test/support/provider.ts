import { afterAll, beforeAll, expect } from 'vitest';
import { type ProviderClient, providerClient } from '../../src/providers/http-client.ts';
import { type Answer, type Receiver, useReceiver } from './receiver.ts';

/** A stand-in for a provider, and the client that speaks with it. */
export interface StandIn {
  readonly receiver: Receiver;
  /** Where it is. */
  readonly origin: string;
  readonly client: ProviderClient;
  /** The parameters of the query of each request so far. */
  readonly queries: readonly Record<string, string>[];
}

/** Whoever says nothing is waited for so long, and whoever answers has it, also on a slow machine. */
export const PROVIDER_TIMEOUT_MS = 4_000;

export function useStandIn(): StandIn {
  const receiver = useReceiver();
  let client: ProviderClient | undefined;
  const origin = () => new URL(receiver.url).origin;
  beforeAll(() => {
    client = providerClient({ origin: origin(), timeoutMs: PROVIDER_TIMEOUT_MS });
  });
  afterAll(() => client?.close());
  return {
    receiver,
    get origin() {
      return origin();
    },
    get client() {
      if (client === undefined) throw new Error('the client lives from beforeAll to afterAll');
      return client;
    },
    get queries() {
      return receiver.requests.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));
    },
  };
}

/** What `asked` fails with, once it is sure that nothing a log would show of it holds any of these words. */
export async function failureOf(asked: Promise<unknown>, secrets: readonly string[]): Promise<Error> {
  const error: unknown = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('it did not fail');
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const shown = `${each.message} ${each.stack}`;
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  }
  return error;
}

const json = (status: number, body: unknown): Extract<Answer, { status: number }> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Answers of any HTTP service that tell nothing of what was asked. */
export const useless: readonly [what: string, answer: Answer][] = [
  ['says nothing', 'hang'],
  ['stops in the middle of its answer', { status: 200, headers: { 'content-length': '100' }, body: '{"status":' }],
  ['answers with more than can be meant', json(200, { status: true, data: 'x'.repeat(2 * 1024 * 1024) })],
  ['answers with broken JSON', { status: 200, body: '{"entity":{"bvn":' }],
  ['answers with a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }],
  ['answers with JSON of another shape', json(200, { status: true, entity: [], data: {}, message_id: null })],
  ['answers with nothing', { status: 200, body: '' }],
  ['sends us elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
  ['does not know our key', json(401, { status: false, error: 'Unauthorized', message: 'Invalid key' })],
  ['does not let our key do this', json(403, { error: 'Forbidden', message: 'Your account is not active' })],
  ['wants to be paid', json(402, { error: 'Your balance is low, pls visit the dashboard to top up' })],
  ['does not know the path', json(404, { error: 'Not found', message: 'Resource not found' })],
  ['has enough of us', json(429, { status: false, message: 'Too many requests' })],
  ['fails', json(500, { status: false, error: 'Something went wrong', message: 'Internal Server Error' })],
  [
    'stands behind a gateway that fails',
    { status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad Gateway' },
  ],
  ['is in maintenance', json(503, { message: 'Service Unavailable' })],
];

const PHOTO = '/9j/4AAQSkZJRgABAQAAAQABAAD-a-photo';

/** @see https://docs.dojah.io/docs/nigeria/lookup-bvn and …/docs/technical-reference/response-codes */
export const dojah = {
  /** What Dojah answers on "Lookup BVN Advanced". */
  registered: (is: { bvn: string; [member: string]: string | null }) =>
    json(200, {
      entity: {
        first_name: 'ADA',
        last_name: 'OBI',
        middle_name: 'NGOZI',
        gender: 'Female',
        date_of_birth: '1990-05-17',
        phone_number1: '08030009999',
        phone_number2: '',
        image: PHOTO,
        email: 'ada@example.com',
        enrollment_bank: 'GTB',
        enrollment_branch: 'IKEJA',
        level_of_account: 'LEVEL 2',
        lga_of_origin: 'OSOGBO',
        lga_of_residence: 'IKEJA',
        marital_status: 'SINGLE',
        name_on_card: '',
        nationality: 'NIGERIAN',
        registration_date: '',
        residential_address: '1 Marina',
        state_of_origin: 'OSUN',
        state_of_residence: 'LAGOS',
        title: 'MISS',
        watch_listed: 'NO',
        ...is,
      },
    }),
  entity: (entity: object) => json(200, { entity }),
  notFound: json(400, { error: 'BVN not found' }),
  noRecord: json(404, { error: 'Record not found' }),
  invalid: json(400, { error: 'Invalid BVN' }),
  badRequest: json(400, { error: 'first_name is required' }),
  thirdPartyFailure: json(424, { error: 'Unable to reach service' }),
  requestTimeout: json(408, { error: 'Request timed out' }),
  photo: PHOTO,
};

/** @see https://paystack.com/docs/api/miscellaneous/#bank and …/verification/#resolve-account */
export const paystack = {
  banks: (banks: Record<string, string>, next: string | null = null) =>
    json(200, {
      status: true,
      message: 'Banks retrieved',
      data: Object.entries(banks).map(([code, name], id) => ({
        id,
        name,
        code,
        slug: name.toLowerCase().replaceAll(' ', '-'),
        longcode: `${code}150000`,
        gateway: null,
        active: true,
        is_deleted: null,
        country: 'Nigeria',
        currency: 'NGN',
        type: 'nuban',
      })),
      meta: { next, previous: null, perPage: 100 },
    }),
  resolved: (accountName: string, accountNumber = '0001234567') =>
    json(200, {
      status: true,
      message: 'Account number resolved',
      data: { account_number: accountNumber, account_name: accountName, bank_id: 9 },
    }),
  unresolved: json(422, { status: false, message: 'Could not resolve account name. Check parameters or try again.' }),
  badRequest: json(400, {
    status: false,
    message: 'Invalid account number',
    meta: { nextStep: 'Ensure that the value(s) you are passing are valid.' },
    type: 'validation_error',
    code: 'invalid_params',
  }),
  testLimit: json(429, {
    status: false,
    message: 'Test mode daily limit of 3 live bank resolves exceeded. Use test bank codes 001 or upgrade to live mode',
  }),
};

/** @see https://paystack.com/docs/api/transfer-recipient/#create, …/transfer/#initiate and …/transfer/#verify */
export const paystackTransfers = {
  recipient: json(201, {
    status: true,
    message: 'Transfer recipient created successfully',
    data: { active: true, currency: 'NGN', domain: 'live', recipient_code: 'RCP_m7ljkv8leesep7p', type: 'nuban' },
  }),
  recipientOf: (account_number: string) =>
    json(201, {
      status: true,
      message: 'Transfer recipient created successfully',
      data: { recipient_code: 'RCP_m7ljkv8leesep7p', details: { account_number, bank_code: '058' } },
    }),
  tooOften: json(429, { status: false, message: 'Too many requests' }),
  /** As it is answered to whoever asks for it, with the number of its recipient, or about it, with the recipient. */
  transfer: ({
    recipient = 28,
    ...given
  }: {
    reference: string;
    amount: number;
    status: string;
    recipient?: unknown;
  }) =>
    json(200, {
      status: true,
      message: given.status === 'pending' ? 'Transfer has been queued' : 'Transfer retrieved',
      data: { ...given, recipient, currency: 'NGN', transfer_code: 'TRF_v5tip3zx8nna9o78', failures: null },
    }),
  payee: (account_number: string, bank_code = '058') => ({
    type: 'nuban',
    recipient_code: 'RCP_m7ljkv8leesep7p',
    details: { account_number, account_name: null, bank_code, bank_name: 'Guaranty Trust Bank' },
  }),
  notFound: json(404, { status: false, message: 'Transfer not found', type: 'validation_error', code: 'not_found' }),
  duplicate: json(400, {
    status: false,
    message: 'Please provide a unique reference. Reference already exists on a transfer',
    type: 'api_error',
    code: 'duplicate_transfer_reference',
  }),
  lowBalance: json(400, {
    status: false,
    message: 'Your balance is not enough to fulfil this request',
    type: 'api_error',
    code: 'insufficient_balance',
  }),
  refused: json(400, { status: false, message: 'Recipient specified is invalid', code: 'invalid_params' }),
};

/** @see https://developers.termii.com/messaging-api and …/error */
export const termii = {
  sent: json(200, {
    code: 'ok',
    message_id: '9122821270554876574',
    message: 'Successfully Sent',
    balance: 9,
    user: 'Peter Mcleish',
  }),
  sentAsOnceWas: json(200, { message_id: 9122821270, message: 'Successfully Sent', balance: 9, user: 'Peter Mcleish' }),
  notOk: json(200, { code: 'failed', message_id: '1', message: 'Country Inactive. Contact Administrator' }),
  invalidSender: json(404, {
    code: 404,
    message: 'ApplicationSenderId not found for applicationId: 1 and name: PayTag',
  }),
  insufficientBalance: json(400, { code: 400, message: 'Insufficient balance' }),
  unprocessable: json(422, { message: 'Invalid phone number +2348030009999' }),
};
