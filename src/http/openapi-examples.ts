/** The parts of a JSON schema that an example needs. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  format?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
  minimum?: number;
  example?: unknown;
  default?: unknown;
}

/** Examples by the name of a member, in lower case without separators. */
const samples: Readonly<Record<string, string>> = {
  accesstoken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
  account: '0123456789',
  accountname: 'ADA OBI',
  accountnumber: '0123456789',
  action: 'MATCH',
  address: '12 Marina Road, Lagos',
  amount: 'Amount',
  answer: '{"id":"0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d"}',
  apikey: 'sk_sandbox_shown-this-once',
  applicationname: 'Market',
  approvalurl: 'https://pay.example/api/v1/consent/Vt3pZ0b6xkPq9m1s',
  authcode: 'Vt3pZ0b6xkPq9m1s',
  balance: 'Balance',
  bankcode: '058',
  bankname: 'GTBank',
  bankreference: 'FT26015ABC123',
  body: '{"event":"wallet.credited"}',
  bvn: '22212345678',
  caller: 'partner:0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  clientid: 'app_0f8c2d6b7a914e35b2c1d0e9f8a7b6c5',
  clientsecret: 'as_sandbox_shown-this-once',
  comment: 'Lunch',
  consentid: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  consenttoken: 'Vt3pZ0b6xkPq9m1s',
  contactemail: 'webhooks@acme.example',
  createdbyappname: 'Market',
  credit: 'Credit',
  currency: 'NGN',
  current: '2Kq0w7mUuFhB1s3nYc4dXg',
  date: 'Date',
  dateofbirth: '1994-05-17',
  debit: 'Debit',
  decision: 'the shop sent no receipt',
  description: 'The big one',
  displayname: 'Ada Obi',
  email: 'ada@example.com',
  error: 'status 503',
  errorcode: '',
  event: 'wallet.credited',
  events: 'wallet.credited',
  externalid: 'customer-7',
  externalreference: 'order-7',
  failuredetail: 'the bank does not know this account',
  failurereason: 'PAYOUT_REFUSED',
  firstname: 'Ada',
  granttype: 'client_credentials',
  id: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  imageurl: 'https://example.com/ada.png',
  importedby: 'root',
  kid: '2Kq0w7mUuFhB1s3nYc4dXg',
  lasterror: 'status 503',
  lastname: 'Obi',
  link: 'https://acme.example/evidence/7',
  merchant: 'Mama Put',
  message: 'done',
  name: 'Ada Obi',
  namespace: 'market',
  narration: 'Two baskets',
  next: '9Zr5t1pLkQwE8y2xVb6nMa',
  nuban: '1000000014',
  onboarding: 'Vt3pZ0b6xkPq9m1s',
  operatorid: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  othername: 'Ngozi',
  otp: '123456',
  ourreference: 'salary-7',
  ownerapplicationname: 'Market',
  ownername: 'Acme',
  ownheaders: 'authorization',
  password: 'sunny-lagos-monday-42',
  pausereason: 'a complaint',
  paytag: 'ada',
  phone: '+2348031234567',
  phonenumber: '+2348031234567',
  promise: 'Every posting sums to zero in each currency',
  property: 'createdAt',
  provider: 'paystack',
  providerid: '7421',
  providerreference: 'TRF_1ptvuv321ahaa7q',
  purpose: 'The port that the server listens on',
  qualifiedaddress: 'ada@paytag',
  reason: 'a complaint',
  receiverappname: 'PayTag',
  receivertag: 'ada',
  redirecturl: 'https://acme.example/callback',
  reference: 'salary-7',
  refundreference: 'refund-7',
  rejectionreason: 'not for me',
  requestedbyappimageurl: 'https://example.com/market.png',
  requestedbyappname: 'Market',
  requestid: 'req-7f3a9c',
  resolvedby: 'root',
  response: 'ok',
  returnurls: 'https://acme.example/return',
  says: 'Payouts of which nothing is known for long',
  seal: 'eyJhbGciOiJFUzI1NiJ9.eyJkYXkiOiIyMDI2LTAxLTMxIn0.c2lnbmF0dXJl',
  senderaccount: '0123456789',
  senderappname: 'Market',
  senderbank: 'GTBank',
  sendername: 'ADA OBI',
  senderpaytag: 'ada',
  sendertag: 'ada',
  sendertype: 'BANK',
  serialnumber: 'SN-1',
  session: 'Vt3pZ0b6xkPq9m1s',
  split: 'SPL-7',
  state: 'af0ifjsldkj',
  statement: '00028/001',
  status: 'Active',
  subjectdisplayname: 'Ada Obi',
  subjectexternalid: 'customer-7',
  subjectid: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  tag: 'ada',
  tagstring: 'ada',
  targeturl: 'https://acme.example/webhooks',
  terminal: 'SN-1',
  terminalid: '2044AB12',
  text: 'The goods never arrived',
  title: 'Fridge',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
  transactionreference: 'salary-7',
  type: 'BANK',
  url: 'https://acme.example/webhooks',
  wallet: 'PW-0199c2f46d1e7a3b9c5d1e2f3a4b5c6d',
  walletreference: 'PW-0199c2f46d1e7a3b9c5d1e2f3a4b5c6d',
  webhooksecret: 'whsec_shown-this-once',
  webhookurl: 'https://acme.example/webhooks',
};
const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  uuid: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  email: 'ada@example.com',
  uri: 'https://example.com/ada',
};

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** An example of a schema, built from the examples of its parts. `name` is the member that it is the value of. */
function exampleOf(schema: Schema, named: Readonly<Record<string, Schema>>, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref !== undefined) return exampleOf(named[schema.$ref.split('/').pop() ?? ''] ?? {}, named, name);
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative !== undefined) return exampleOf(alternative, named, name);
  if (schema.allOf !== undefined) return merged(schema.allOf.map((part) => exampleOf(part, named, name)));
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'object') {
    const members = Object.entries(schema.properties ?? {}).filter(
      ([member, part]) => !isUnusual(schema, member, part),
    );
    return Object.fromEntries(members.map(([member, part]) => [member, exampleOf(part, named, member)]));
  }
  if (schema.type === 'array') return schema.maxItems === 0 ? [] : [exampleOf(schema.items ?? {}, named, name)];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return true;
  return byFormat[schema.format ?? ''] ?? samples[lettersOf(name)] ?? 'text';
}

/** True for an optional member that has one value only, such as countIsExact, and for a deadline, which an example would outlive. */
const isUnusual = ({ required = [] }: Schema, member: string, part: Schema): boolean =>
  !required.includes(member) &&
  ((part.type === 'boolean' && part.enum?.length === 1) || (member === 'expiresAt' && part.example === undefined));

const merged = (parts: unknown[]): unknown =>
  parts.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
    ? Object.assign({}, ...parts)
    : parts[0];

/** Gives each operation's example its own reference. */
function nameReference(example: unknown, operationId: string): void {
  const named = Object(example) as { reference?: unknown };
  if (named.reference !== samples['reference']) return;
  named.reference = operationId.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`).concat('-7');
}

interface Operation {
  operationId?: string;
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}
interface Media {
  schema?: Schema;
  example?: unknown;
}

/** Adds an example to every request body and successful JSON answer that has none. */
export function giveExamples(document: {
  paths?: Record<string, unknown>;
  components?: { schemas?: Record<string, unknown> };
}): void {
  const named = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object))) {
    const { operationId = '', requestBody, responses = {} } = operation as Operation;
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const contents = [requestBody?.content, ...successes.map(([, response]) => response.content)];
    for (const [type, media] of contents.flatMap((content) => Object.entries(content ?? {}))) {
      if (!type.startsWith('text/') && media.schema !== undefined) media.example ??= exampleOf(media.schema, named);
    }
    for (const { example } of Object.values(requestBody?.content ?? {})) nameReference(example, operationId);
  }
}
