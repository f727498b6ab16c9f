import { testValuesTable } from '../providers/simulators.ts';

/** Marks what the published interface does not have. */
const EXTENSION = 'Extension';

/** The credentials of each kind of caller, and where they come from. */
export const securitySchemes = {
  clientId: {
    type: 'apiKey',
    in: 'header',
    name: 'x-client-id',
    description:
      'Names the partner. The operator gives it with the API key when the partner is created; in the sandbox it is in `.data/demo.json`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'The partner’s secret, `sk_` and the environment. The operator shows it once when it is made; in the sandbox it is in `.data/demo.json`.',
  },
  customer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The customer token of `GET /v2/sso/token`, sent with the partner’s own credentials. There is no refresh: when it has expired, the customer logs in again.',
  },
  application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The application token of `POST /api/v1/auth/token`, which takes the client id and client secret that `POST /api/v1/applications` answered.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An operator’s own token, shown once by `POST /operator/v1/operators`; the first one, of root, is `OPERATOR_TOKEN`.',
  },
} as const;

/** The introduction of a document, with links to its guides on the server. */
export const introductionOf = (document: 'partner' | 'switch' | 'operator', { publicUrl }: Where): string =>
  introductions[document].replaceAll('(/', `(${publicUrl}/`);

const introductions = {
  partner:
    'A partner keeps wallets for its customers and takes payments at terminals (`/v2/partner`), and acts for a customer who has logged in (`/v2/sso`). The guides explain it step by step: [partners](/docs/partners), [single sign-on](/docs/sso), [webhooks](/docs/webhooks), [errors](/docs/errors).',
  switch:
    'An application gets a token, finds whom a tag stands for, asks for consent, links tags and offers money to them. The guides explain it step by step: [tag switch](/docs/switch), [webhooks](/docs/webhooks), [errors](/docs/errors).',
  operator:
    'An operator runs the server and looks after partners, applications, customers, money and deliveries. The guide explains it step by step: [operate](/docs/operate).',
} as const;

/** A description of each tag, in the order in which tags are shown. */
const tags: Readonly<Record<string, string>> = {
  PayTags: 'Customers with a PayTag, made by a partner or linked to it by their BVN',
  Wallets: 'Wallets that a partner keeps, of customers and of people without a PayTag',
  Money: 'A partner’s float, and what moves between it, wallets and bank accounts',
  Terminals: 'Payments that a terminal asks for, paid in instalments',
  'Webhook endpoints': 'Where events go, what was delivered, and what is sent again',
  Onboarding: 'Making a PayTag step by step, with one-time passwords',
  Login: 'From PayTag and password to a customer token, by an authorization code, and out again',
  'Customer wallet': 'What a logged-in customer sees and does, through the partner',
  Contacts: 'The phone and the e-mail address to which a customer’s codes, statements and notices go',
  'Application identity': 'Registering an application, its token, its subjects and tags',
  Tags: 'Finding whom a tag stands for',
  Claims: 'An application’s requests to reach a subject of its own under a tag',
  Consent: 'The answer of a tag’s owner to a claim',
  Federation: 'Links between tags of different applications',
  Transactions: 'Money that one tag offers another',
  Sandbox: `Triggers what time and providers do in live; not available there. The values that the simulators answer to:\n\n${testValuesTable}`,
  [EXTENSION]: 'Operations beyond the published interface of the service; they may grow with a later version',
};
const order = Object.keys(tags);

/** The tags of these operations with their descriptions. A reference shows an extension under its subject, with a badge. */
export function tagsOf(operations: readonly { tags?: readonly string[] }[]) {
  const names = [...new Set(operations.flatMap((operation) => operation.tags ?? []))];
  return names
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((name) => ({
      name,
      ...(tags[name] === undefined ? {} : { description: tags[name] }),
      ...(name === EXTENSION && names.length > 1 ? { 'x-scalar-ignore': true } : {}),
    }));
}

/** The badges of an operation in a reference. */
export const badgesOf = (given: readonly string[] = []) =>
  given.includes(EXTENSION) ? { 'x-badges': [{ name: EXTENSION }] } : {};

/** The public address of a server, and its own port where it has one. */
export interface Where {
  publicUrl: string;
  environment: string;
  ownPort?: number | undefined;
}

/** The servers of a document. */
export const serversOf = ({ publicUrl, environment, ownPort }: Where) => [
  ownPort === undefined
    ? { url: publicUrl, description: `The ${environment} environment` }
    : {
        url: `http://{host}:${ownPort}`,
        description: `The ${environment} environment, on the operator’s own port`,
        variables: { host: { default: '127.0.0.1', description: 'Where that port is reached' } },
      },
];

/** Contact and licence of the interface. */
export const originOf = ({ publicUrl }: Where) => ({
  contact: { name: 'PayTag', url: `${publicUrl}/docs` },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
});

const callers: Readonly<Record<string, string>> = {
  '': 'Needs no credentials.',
  apiKey: 'Needs the partner’s credentials.',
  customer: 'Needs the partner’s credentials and the customer’s token.',
  application: 'Needs an application token.',
  public: 'Needs no credentials; an application token shows its owner more.',
  operator: 'Needs an operator’s token.',
};

/** Says who may call an operation, and whether it may be repeated safely. */
export function describeCall(given: {
  security: readonly Record<string, readonly string[]>[];
  idempotent: boolean;
  role: string | undefined;
}): string {
  const [first, ...others] = given.security.map((schemes) => Object.keys(schemes));
  const caller = callers[first?.length === 0 && others.length > 0 ? 'public' : (first?.at(-1) ?? '')] ?? '';
  return [
    caller,
    ...(given.role === undefined ? [] : [`Needs the role \`${given.role}\` or a higher one.`]),
    ...(given.idempotent ? ['Under an `Idempotency-Key` it may be sent again safely.'] : []),
  ].join(' ');
}
