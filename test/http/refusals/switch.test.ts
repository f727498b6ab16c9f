import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import {
  answerConsent,
  type Ends,
  endClaim,
  type Method,
  newClaim,
  newLink,
  reject,
  remove,
  type Sides,
  type TestClaim,
  type TestLink,
  verifyRightly,
} from '../../support/claims.ts';
import {
  type At,
  after,
  again,
  body,
  each,
  eachPath,
  eachQuery,
  NOBODY,
  path,
  type Refusals,
  type Row,
  segmentOf,
  testRefusals,
} from '../../support/refusals.ts';
import { decide, newSide, offer, type Side, setTagStatus } from '../../support/switch.ts';
import { newSubject, newTag } from '../../support/tags.ts';
import { loggedIn } from '../../support/wallets.ts';
import { goodRequestsOfSwitch } from '../every-operation/good-requests.ts';
import { plainRequestsOfSwitch } from '../every-operation/plain-requests.ts';

const server = useApp();

const by = async (at: At, { headers }: Pick<TestApplication, 'headers'>, segments: Record<string, string> = {}) => ({
  ...(await path(segments)(at)),
  headers,
});
const newSideOf = () => newSide(server);

let applications: Promise<[TestApplication, TestApplication, TestApplication]> | undefined;
const three = () =>
  (applications ??= Promise.all([newApplication(server), newApplication(server), newApplication(server)]));
/** Three applications with new things: those of a claim. */
const newSides = async (): Promise<Sides> => {
  const [owner, requester, stranger] = await three();
  return {
    owner,
    requester,
    stranger,
    tag: await newTag(server, owner),
    subjectId: await newSubject(server, requester),
  };
};
/** And those of a link. */
const newEnds = async (): Promise<Ends> => {
  const [primary, secondary, stranger] = await three();
  const withTag = async (one: TestApplication) => ({ ...one, tag: await newTag(server, one) });
  return { primary: await withTag(primary), secondary: await withTag(secondary), stranger: await withTag(stranger) };
};

/** The good request about a claim: by whom it is made, and what has happened to the claim, are said here. */
const onClaim =
  (
    who: 'owner' | 'requester' | 'stranger',
    happens: (sides: Sides, claim: TestClaim) => Promise<unknown> = async () => 0,
  ): Row =>
  async (at) => {
    const sides = await newSides();
    const claim = await newClaim(server, sides);
    await happens(sides, claim);
    return by(at, sides[who], { tag: sides.tag, claimId: claim.id, consentToken: claim.consentToken });
  };
const approved = ({ owner }: Sides, { consentToken }: TestClaim) =>
  answerConsent(server, owner, consentToken, 'approve');
const rejected = ({ owner }: Sides, { consentToken }: TestClaim) =>
  answerConsent(server, owner, consentToken, 'reject');
const cancelled = ({ requester }: Sides, claim: TestClaim) => endClaim(server, requester, claim, 'cancel');
const revoked = async (sides: Sides, claim: TestClaim) => {
  await approved(sides, claim);
  await endClaim(server, sides.requester, claim, 'revoke');
};
const onAnotherTag =
  (who: 'owner' | 'requester'): Row =>
  async (at) => {
    const sides = await newSides();
    const { id } = await newClaim(server, sides);
    return by(at, sides[who], { tag: await newTag(server, sides.owner), claimId: id });
  };

/** The good request about a link: by whom it is made, and what has happened to the link, are said here. */
const onLink =
  (
    who: keyof Ends,
    {
      happens = async () => 0,
      method = 'OTP',
      tag,
      token,
    }: {
      happens?: (ends: Ends, link: TestLink) => Promise<unknown>;
      method?: Method;
      tag?: (ends: Ends) => string;
      token?: unknown;
    } = {},
  ): Row =>
  async (at) => {
    const ends = await newEnds();
    const link = await newLink(server, ends, method);
    await happens(ends, link);
    const made = await by(at, ends[who], { tag: tag?.(ends) ?? link.primaryTag, linkId: link.id });
    return { ...made, ...(token === undefined ? {} : { body: { token } }) };
  };
const verified = (ends: Ends, link: TestLink) => verifyRightly(server, ends, link, 'OTP');
const turnedDown = ({ secondary }: Ends, link: TestLink) => reject(server, secondary, link);
const takenBack = ({ primary }: Ends, link: TestLink) => remove(server, primary, link);
const suspended = ({ primary }: Ends) => setTagStatus(server, primary.tag, 'SUSPENDED');
const otherLinks = (who: keyof Ends): Row[] => [
  onLink('stranger', { token: '1' }),
  onLink(who, { token: '1', tag: ({ secondary }) => secondary.tag }),
];

/** The good request about an offer: by whom it is made, and what has happened to the offer, are said here. */
const onOffer =
  (who: 'sender' | 'receiver' | 'stranger', before?: 'accept' | 'reject' | 'cancel'): Row =>
  async (at) => {
    const sides = { sender: await newSideOf(), receiver: await newSideOf(), stranger: await newSideOf() };
    const { id } = await offer(server, sides.sender, sides.receiver);
    if (before) await decide(server, before === 'cancel' ? sides.sender : sides.receiver, id, before);
    return by(at, sides[who], { id });
  };
const decision = (decider: 'sender' | 'receiver', other: 'sender' | 'receiver') => ({
  NOT_PERMITTED: [onOffer(other)],
  TRANSACTION_NOT_FOUND: [onOffer('stranger'), ...eachPath('id', NOBODY)],
  TRANSACTION_NOT_PENDING: (['accept', 'reject', 'cancel'] as const).map((before) => onOffer(decider, before)),
});

const unknownTags = ['nobody-here', 'a', 'not a tag', 'аda', '../ada', 'pending'];
/** What is written into a path so that no tag has it. */
const unknownPaths = [
  'nobody-here',
  '%2540ada',
  '%00',
  'ad%D0%B0',
  '@',
  'ada%40acme%40x',
  'no%20such%20tag',
  '%40%40ada',
];
/** Handles in the namespace of another application, and of a closed tag. */
const astray: ((side: Side) => Promise<string>)[] = [
  async ({ tag }) => `${tag}@${(await newApplication(server)).namespace}`,
  async ({ tag }) => {
    await setTagStatus(server, tag, 'CLOSED');
    return tag;
  },
];
const astrayIn = (member: string): Row[] =>
  astray.map((handle) => async (at) => body({ [member]: await handle(await newSideOf()) })(at));

const unfitTargets = {
  INVALID_PARAMETER: each('url', undefined, 'ftp://shop.example/'),
  WEBHOOK_TARGET_REFUSED: each('url', 'https://10.0.0.1/hooks'),
};
const namesLikeOurs = [
  'PayTag',
  ' PAYTAG ',
  'Pay-Tag',
  'P\u0430yT\u0430g', // Cyrillic letters
  '\u03a1\u0391\u03a5\u03a4\u0391G', // Greek capitals
  '\uff30\uff41\uff59\uff34\uff41\uff47', // full width
  'PáyTág',
  'P4yT4g',
  'PayTag Support',
  'Official PayTag',
  'PayTag \u0405ecurity',
  'Paytagger',
  'Shop for PayTag users',
];

const identity: Refusals = {
  'POST /api/v1/applications': {
    INVALID_PARAMETER: [...each('email', 'acme'), ...each('imageUrl', 'javascript:alert(1)')],
    APPLICATION_NAME_RESERVED: each('applicationName', ...namesLikeOurs),
    WEBHOOK_TARGET_REFUSED: each('webhookUrl', 'https://10.0.0.1/hook'),
  },
  'POST /api/v1/applications/secret/rotate': {
    INVALID_PARAMETER: each('client_secret', undefined),
    INVALID_CLIENT: [async (at) => body({ client_secret: (await newApplication(server)).client_secret })(at)],
    SECRET_OVERLAP_RUNNING: [
      async ({ good, send }) => {
        const made = await good();
        const { data } = (await send(made)).json<{ data: { client_secret: string } }>();
        return { ...made, body: { client_secret: data.client_secret } };
      },
    ],
  },
  'PUT /api/v1/applications/webhook': unfitTargets,
  'PUT /api/v1/applications/return-urls': {
    INVALID_PARAMETER: each(
      'returnUrls',
      ...[
        'http://shop.example/linked',
        'javascript:alert(1)',
        'https://user:secret@shop.example/',
        'https://shop.example/linked?cart=7',
        'https://shop.example/linked#top',
        'https://shop.example/linked?',
        'shop.example',
        7,
      ].map((one) => ['https://shop.example/good', one]),
      Array.from({ length: 11 }, (_, at) => `https://shop.example/${at}`),
    ),
  },
  'POST /api/v1/subjects': {
    INVALID_PARAMETER: [
      ...each('displayName', 'Ada\u202Ebola', '<b>Ada</b>'),
      ...each('email', 'ada'),
      ...each('imageUrl', 'javascript:alert(1)'),
    ],
    SUBJECT_EXISTS: [
      { displayName: 'Bola' },
      { email: 'ada@example.com' },
      { imageUrl: 'https://images.example/a.png' },
      { metadata: { tier: 'silver' } },
    ].map((other) => again(other)),
  },
  'POST /api/v1/tags': {
    INVALID_TAG: each(
      'tagString',
      'ad',
      'a'.repeat(31),
      '.ada',
      'ada..obi',
      'ada obi',
      '@@ada',
      'ada@acme',
      'ad\u0430',
      'ada/claims',
      '%61da',
    ),
    TAG_RESERVED: each(
      'tagString',
      'admin',
      'Adm1n',
      'support',
      'paytag',
      'paytag.support',
      'o-t-p',
      '08031234567',
      '0803.123.4567',
      '12345',
    ),
    SUBJECT_NOT_FOUND: [
      ...each('externalId', 'of-nobody'),
      async (at) => body({ subjectId: await newSubject(server, await newApplication(server)) })(at),
      async (at) => {
        const made = await at.good();
        return { ...made, body: { ...made.body, externalId: 'of-nobody' } };
      },
    ],
    TAG_ALREADY_EXISTS: [again()],
  },
};

const tagsAndClaims: Refusals = {
  'GET /api/v1/tags/{tag}': {
    TAG_NOT_FOUND: [
      ...eachPath('tag', ...unknownPaths),
      ...astray.map((handle) => path(async () => ({ tag: encodeURIComponent(await handle(await newSideOf())) }))),
    ],
  },
  'DELETE /api/v1/tags/{tag}': {
    NOT_PERMITTED: [async (at) => by(at, await newApplication(server))],
    TAG_NOT_FOUND: [again()],
    TAG_STATUS_CONFLICT: [after((made, at) => setTagStatus(server, segmentOf(at.operation, made, 'tag'), 'SUSPENDED'))],
  },
  'GET /api/v1/tags/{tag}/claims': {
    INVALID_PARAMETER: [
      ...eachQuery('limit', '-1', '0', '1.5', 'all'),
      ...eachQuery('cursor', 'x', '\0', '01990000-0000-7000-8000-000000000000', 'x'.repeat(300)),
      ...eachQuery(
        'cursor',
        ...['claims 01990000-0000-7000-8000-000000000000', 'tag-claims 7'].map((text) =>
          Buffer.from(text).toString('base64url'),
        ),
      ),
    ],
    TAG_NOT_FOUND: eachPath('tag', ...unknownPaths),
  },
  'POST /api/v1/tags/{tag}/claims': {
    INVALID_PARAMETER: [body({ subjectId: undefined, externalId: undefined })],
    TAG_NOT_FOUND: [path({ tag: 'nobody-here' })],
    SUBJECT_NOT_FOUND: [async (at) => body({ subjectId: await newSubject(server, await newApplication(server)) })(at)],
    CLAIM_EXISTS: [again()],
    TAG_SUSPENDED: [
      path(async () => {
        const { tag } = await newSideOf();
        await setTagStatus(server, tag, 'SUSPENDED');
        return { tag };
      }),
    ],
  },
  'GET /api/v1/tags/{tag}/claims/{claimId}/attestation': {
    NOT_PERMITTED: [onClaim('owner', approved)],
    CLAIM_NOT_FOUND: [onClaim('stranger', approved)],
    CLAIM_NOT_APPROVED: [onClaim('requester'), onClaim('requester', revoked)],
  },
  'POST /api/v1/tags/{tag}/claims/{claimId}/cancel': {
    NOT_PERMITTED: [onClaim('owner')],
    CLAIM_NOT_FOUND: [onClaim('stranger'), onAnotherTag('requester'), path({ tag: 'nobody-here' })],
    CLAIM_NOT_PENDING: [again(), onClaim('requester', approved), onClaim('requester', rejected)],
  },
  'POST /api/v1/tags/{tag}/claims/{claimId}/revoke': {
    CLAIM_NOT_FOUND: [onClaim('stranger', approved), onAnotherTag('owner')],
    CLAIM_NOT_APPROVED: [again(), onClaim('owner'), onClaim('owner', revoked)],
  },
  'POST /api/v1/consent/{consentToken}/approve': {
    OWNER_CONSENT_REQUIRED: [onClaim('requester')],
    CONSENT_NOT_FOUND: [onClaim('stranger'), ...eachPath('consentToken', 'x'.repeat(43), '%00')],
    CONSENT_NOT_PENDING: [again(), onClaim('owner', rejected), onClaim('owner', cancelled), onClaim('owner', revoked)],
    TAG_SUSPENDED: [onClaim('owner', ({ tag }) => setTagStatus(server, tag, 'SUSPENDED'))],
  },
  'POST /api/v1/consent/{consentToken}/reject': {
    NOT_PERMITTED: [onClaim('requester')],
    CONSENT_NOT_FOUND: [onClaim('stranger')],
    CONSENT_NOT_PENDING: [again()],
  },
};

const federations: Refusals = {
  'POST /api/v1/tags/{tag}/federation': {
    INVALID_PARAMETER: [
      body({ secondaryTag: undefined, verificationMethod: undefined }),
      ...each('verificationMethod', undefined, 'PIGEON', 'OTP;CONSENT', '__proto__', 'constructor', 'toString'),
    ],
    SELF_FEDERATION: [(tag: string) => tag, (tag: string) => `@${tag}`, (tag: string) => tag.toUpperCase()].map(
      (alias): Row =>
        async ({ good, operation }) => {
          const made = await good();
          return { ...made, body: { ...made.body, secondaryTag: alias(segmentOf(operation, made, 'tag')) } };
        },
    ),
    NOT_PERMITTED: [async (at) => by(at, await newApplication(server))],
    TAG_NOT_FOUND: [
      ...each('secondaryTag', ...unknownTags, 'ada@', 'a'.repeat(100)),
      ...eachPath('tag', 'nobody-here'),
      ...astrayIn('secondaryTag'),
    ],
    LINK_EXISTS: [
      again(),
      async ({ good }) => {
        const ends = await newEnds();
        await newLink(server, ends);
        const { headers, tag } = ends.secondary;
        return {
          ...(await good()),
          url: `/api/v1/tags/${tag}/federation`,
          headers,
          body: { secondaryTag: ends.primary.tag, verificationMethod: 'CONSENT' },
        };
      },
    ],
    TAG_SUSPENDED: [
      after((made, { operation }) => setTagStatus(server, segmentOf(operation, made, 'tag'), 'SUSPENDED')),
      async (at) => {
        const { tag } = await newSideOf();
        await setTagStatus(server, tag, 'SUSPENDED');
        return body({ secondaryTag: tag })(at);
      },
    ],
  },
  'GET /api/v1/tags/{tag}/federation': {
    TAG_NOT_FOUND: eachPath('tag', 'nobody-has-it', '%00'),
    FEDERATION_NOT_FOUND: [onLink('stranger'), onLink('primary', { tag: ({ secondary }) => secondary.tag })],
  },
  'POST /api/v1/tags/{tag}/federation/{linkId}/verify': {
    INVALID_PARAMETER: [undefined, null, '', '   ', 123_456, ['123456'], { $ne: '' }, 'x'.repeat(5000)].map(
      (token) => async (at: At) => {
        const made = await onLink('primary', { token: token ?? null })(at);
        return { ...made, names: 'token' };
      },
    ),
    ATTESTATION_INVALID: ['none', 'a.b.c', `${'e'.repeat(40)}.e30.`].map((token) =>
      onLink('primary', { method: 'ATTESTATION', token }),
    ),
    OTP_INVALID: [onLink('primary', { token: '000000' })],
    NOT_PERMITTED: [
      onLink('secondary', { token: '1' }),
      onLink('secondary', { method: 'ATTESTATION', token: 'anything' }),
      onLink('primary', { method: 'CONSENT' }),
    ],
    LINK_NOT_FOUND: [...otherLinks('primary'), ...eachPath('linkId', NOBODY)],
    LINK_NOT_PENDING: [turnedDown, takenBack, verified].map((happens) => onLink('primary', { happens, token: '1' })),
    TAG_SUSPENDED: [onLink('primary', { happens: suspended, token: '1' })],
  },
  'POST /api/v1/tags/{tag}/federation/{linkId}/reject': {
    NOT_PERMITTED: [onLink('primary')],
    LINK_NOT_FOUND: otherLinks('secondary'),
    LINK_NOT_PENDING: [again(), ...[verified, takenBack].map((happens) => onLink('secondary', { happens }))],
  },
  'DELETE /api/v1/tags/{tag}/federation/{linkId}': {
    NOT_PERMITTED: [onLink('secondary')],
    LINK_NOT_FOUND: otherLinks('primary'),
    LINK_ENDED: [again(), onLink('primary', { happens: turnedDown }), onLink('secondary', { happens: turnedDown })],
  },
};

const transactions: Refusals = {
  'GET /api/v1/wallet': { INVALID_PARAMETER: eachQuery('currency', 'USD', 'ngn') },
  'GET /api/v1/transactions': { INVALID_PARAMETER: eachQuery('reference', undefined, 'a b') },
  'GET /api/v1/transactions/pending': {
    INVALID_PARAMETER: eachQuery(
      'sort',
      'nothing',
      'id;drop',
      'id\0',
      '__proto__',
      'constructor',
      'amount)--',
      'amount,up',
      'webhooks',
    ),
  },
  'GET /api/v1/transactions/{id}': { TRANSACTION_NOT_FOUND: [onOffer('stranger')] },
  'POST /api/v1/transactions': {
    INVALID_PARAMETER: each('expiresAt', '2020-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
    SELF_TRANSFER: [
      async ({ good }) => {
        const made = await good();
        return { ...made, body: { ...made.body, receiverTag: `@${String(made.body?.['senderTag']).toUpperCase()}` } };
      },
    ],
    NOT_PERMITTED: [
      async (at) => body({ senderTag: (await newSideOf()).tag })(at),
      async (at) => body({ senderTag: (await loggedIn(server, await server.newPartner())).paytag })(at),
    ],
    TAG_NOT_FOUND: [
      ...each('receiverTag', ...unknownTags, 'a\u200bdaa-nobody', '%61da'),
      ...each('senderTag', ...unknownTags),
      ...astrayIn('receiverTag'),
    ],
    REFERENCE_REUSED: [
      { amount: 100.01 },
      { currency: 'FP' },
      { narration: 'second' },
      { expiresAt: '2030-01-01T00:00:00Z' },
    ].map(
      (change): Row =>
        async ({ good, send }) => {
          const made = await good();
          const { applicationId: reference } = await newApplication(server);
          await send({ ...made, body: { ...made.body, reference } });
          const expiresAt = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
          const changed = 'expiresAt' in change ? { expiresAt } : change;
          return { ...made, body: { ...made.body, reference, ...changed } };
        },
    ),
  },
  'POST /api/v1/transactions/{id}/accept': decision('receiver', 'sender'),
  'POST /api/v1/transactions/{id}/reject': decision('receiver', 'sender'),
  'POST /api/v1/transactions/{id}/cancel': decision('sender', 'receiver'),
};

testRefusals(server, {
  paths: /^\/api\/v1\//,
  good: [plainRequestsOfSwitch, goodRequestsOfSwitch],
  refusals: { ...identity, ...tagsAndClaims, ...federations, ...transactions },
  stories: [
    'POST /api/v1/auth/token',
    'NAME_RESERVED',
    'TAG_QUOTA_EXCEEDED',
    'RETURN_URL_NOT_REGISTERED',
    'OTP_CHANNEL_UNAVAILABLE',
    'MESSAGING_PROVIDER_UNAVAILABLE',
    'CONSENT_EXPIRED',
    'LINK_EXPIRED',
    'TRANSACTION_EXPIRED',
    'TAG_SUSPENDED',
    'TAG_NOT_PAYABLE',
    'AMOUNT_TOO_SMALL',
    'BALANCE_EXCEEDED',
    'CURRENCY_MISMATCH',
    'INSUFFICIENT_FUNDS',
    'WALLET_BLOCKED',
    'WALLET_PNC',
    'WALLET_PND',
  ],
  stranger: async (app) => ({ ...(await newApplication(app)).headers }),
  notHidden: [
    'GET /api/v1/tags/{tag}',
    'DELETE /api/v1/tags/{tag}',
    'GET /api/v1/tags/{tag}/claims',
    'POST /api/v1/tags/{tag}/claims',
    'POST /api/v1/tags/{tag}/federation',
    'GET /api/v1/tags/{tag}/federation',
    'GET /api/v1/consent/{consentToken}',
    'GET /api/v1/federation/{approvalToken}',
  ],
});
