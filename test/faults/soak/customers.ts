import type { Pool } from 'pg';
import { clientOf, OTP_OF_THE_SIMULATOR, PASSWORD } from '../../support/client.ts';
import type { Said } from './acks.ts';
import { type Ask, type Asked, adding, applicationCall, naira, operate, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import type { Fleet } from './fleet.ts';
import { atLeastOne, type Verdict } from './memory.ts';
import type { SoakApplication, SoakPartner } from './world.ts';

const CHANNELS = ['sms', 'whatsapp', 'email'] as const;
/** So many log in at the end: each password costs a hash. */
const LOG_IN_MAX = 200;

/** Somebody whom nobody else is: the reference of a turn as a BVN and a phone, one that the simulated register has. */
function personOf(reference: string): object {
  const [, client = '', turn = ''] = reference.split('-');
  return {
    bvn: `22${client.padStart(3, '0')}${turn.padStart(6, '0')}`,
    phone: `+234806${turn.slice(-5).padStart(5, '0')}${11 + (Number(client) % 88)}`, // none ends in 0000
    email: `${reference}@example.com`,
    firstName: 'Efe',
    lastName: 'Obi',
    dateOfBirth: '1994-05-17',
  };
}

/** Somebody onboards to the end; often at two partners at once, of which one is too late. PayTags end in a letter: digits alone may pass for a bank. */
export const onboard: Turn = async (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const other = by.pick(world.partners.filter((one) => one !== partner));
  const given = { person: personOf(reference), channel: by.pick(CHANNELS), ask };
  const first = onboardAt(partner, { ...given, paytag: `${reference}x` });
  const second = by.chance(40) ? onboardAt(other, { ...given, paytag: `${reference}y` }) : undefined;
  await Promise.all([first, second]);
};

async function onboardAt(
  { headers }: SoakPartner,
  { person, channel, paytag, ask }: { person: object; channel: string; paytag: string; ask: Ask },
): Promise<void> {
  const post = (kind: string, path: string, json: object): Asked =>
    adding(
      { kind, method: 'POST', path: `/v2/sso${path}`, json, headers: () => headers },
      { 'idempotency-key': paytag + path },
    );
  const started = await ask(post('onboarding starts', '/create-tag', person));
  if (started?.status !== 200) return;
  const session = String(started.body['session']);
  const path = `/v2/sso/${session}/otp?channel=${channel}`;
  // 429 is that one was sent a moment ago, in answer to a call that was lost: it is good.
  const sent = await ask({ kind: 'codes sent', method: 'GET', path, headers: () => headers, isLimited: true });
  if (sent === undefined) return;
  const given = await ask(post('codes given', `/${session}/otp`, { otp: OTP_OF_THE_SIMULATOR }));
  if (given === undefined) return;
  await ask({
    ...post('onboarding ends', `/create-tag/${session}/complete`, { paytag, password: PASSWORD }),
    makes: { what: 'customer', id: paytag, state: 'MADE' },
  });
}

/** Who was told to be onboarded is there and logs in, and of those who had one BVN there is one. */
export async function customersMade(pool: Pool, fleet: Fleet, { acks }: Traffic): Promise<Verdict> {
  const { rows } = await pool.query<{ handle: string }>(
    `select t.handle from tags.tag t join customers.customer c on c.tag_id = t.id where t.handle like 'soak-%'`,
  );
  const found = new Set(rows.map(({ handle }) => handle));
  const said = [...acks.said('customer')];
  const made = said.filter(([, { told }]) => told.includes('MADE'));
  const broken = made.flatMap(([paytag]) => (found.has(paytag) ? [] : [`${paytag} was onboarded, and is not there`]));
  const twins = new Set(said.map(([paytag]) => paytag).filter((paytag) => paytag.endsWith('y')));
  for (const paytag of found) {
    const other = paytag.replace(/x$/, 'y');
    if (other !== paytag && found.has(other)) broken.push(`${paytag} and ${other} have one BVN, and both are there`);
  }
  const [origin = ''] = fleet.serving();
  for (const [paytag, { by }] of made.slice(0, LOG_IN_MAX)) {
    const call = { headers: by.headers(), json: { paytag, password: PASSWORD } };
    const { status, text } = await clientOf(origin)('POST', '/v2/sso/auth-code?scope=profile', call);
    if (status !== 200) broken.push(`${paytag} was onboarded, and does not log in: ${status} ${text.slice(0, 200)}`);
  }
  broken.push(...atLeastOne(made.length, 'customer was onboarded'));
  broken.push(...atLeastOne(twins.size, 'BVN was onboarded at two partners at once'));
  return {
    promise: 'who was onboarded is a customer, and one BVN is one customer',
    broken,
    looked: `${made.length} onboarded, ${Math.min(made.length, LOG_IN_MAX)} of whom logged in; ${twins.size} at two partners at once`,
  };
}

/** Tags of an application on which claims are asked for: of one no more than a hundred may be asked for in a day. */
const TAGS = 2_000;

const verbs = { approve: 'APPROVED', reject: 'REJECTED', cancel: 'CANCELLED' } as const;
type Verb = keyof typeof verbs;
/** What becomes of a claim; what stands together is asked for at once, and one of it is too late. */
const endings: readonly (readonly Verb[])[] = [
  ['approve'],
  ['approve'],
  ['reject'],
  ['cancel'],
  ['approve', 'reject'],
  ['approve', 'cancel'],
  [],
];

/** An application asks for a claim for a subject of its own; it, or that of the tag's owner, decides. */
export const askForClaim: Turn = async (world, by, reference, ask) => {
  const [one, other] = world.applications;
  if (one === undefined || other === undefined) throw new Error('there are two applications');
  const [owner, requester] = by.chance(50) ? [one, other] : [other, one];
  const tag = `${owner.tag}-${by.between(0, TAGS)}x`; // digits alone may pass for a bank
  const [ending, isRevoked] = [by.pick(endings), by.chance(30)];
  const post = (caller: SoakApplication, kind: string, path: string, json: object = {}): Asked =>
    adding(applicationCall(caller, { kind, method: 'POST', path: `/api/v1${path}`, json }), {
      'idempotency-key': reference + path,
    });
  const makes = (state: string) => ({ makes: { what: 'claim', id: reference, state } }) as const;

  const tagMade = await ask(post(owner, 'tags made', '/tags', { tagString: tag, externalId: 'owner' }));
  const subjectMade = await ask(post(requester, 'subjects made', '/subjects', { externalId: reference }));
  if (tagMade === undefined || subjectMade === undefined) return;
  const claims = `/tags/${tag}/claims`;
  const asked = await ask({
    ...post(requester, 'claims asked for', claims, { externalId: reference }),
    ...makes('PENDING'),
  });
  if (asked?.status !== 201) return;
  const { id, consentToken } = asked.body['data'] as { id: string; consentToken: string };
  const decide = async (verb: Verb) => {
    const isCancel = verb === 'cancel';
    const path = isCancel ? `${claims}/${id}/cancel` : `/consent/${consentToken}/${verb}`;
    const kind = `claims ${verbs[verb].toLowerCase()}`;
    return ask({ ...post(isCancel ? requester : owner, kind, path), ...makes(verbs[verb]) });
  };
  const answers = await Promise.all(ending.map(decide));
  if (!isRevoked || ending[0] !== 'approve' || answers[0]?.status !== 200) return;
  await ask({ ...post(owner, 'claims revoked', `${claims}/${id}/revoke`), ...makes('REVOKED') });
};

/** Each claim is what its two sides were told last, and none was told to be two of approved, rejected and cancelled. */
export async function claimsDecided(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  const { rows } = await pool.query<{ reference: string; state: string }>(
    `select s.external_id as reference, c.state from claims.claim c join applications.subject s on s.id = c.subject_id
      where s.external_id like 'soak-%'`,
  );
  const found = new Map(rows.map(({ reference, state }) => [reference, state]));
  const said = acks.said('claim');
  const broken: string[] = [];
  for (const [reference, one] of said) {
    if (one.told.length === 0) continue;
    const [state, decided] = [found.get(reference), decidedBy(one)];
    if (decided.length > 1) broken.push(`${reference} was told to be ${decided.join(' and ')}`);
    if (state === undefined || !mayBe(one).includes(state))
      broken.push(`${reference} was told to be ${one.told.join(', then ')}, and is ${state ?? 'not there'}`);
  }
  const counts = Object.values(verbs).map((state) => {
    const count = [...said.values()].filter(({ told }) => told.includes(state)).length;
    broken.push(...atLeastOne(count, `claim was ${state.toLowerCase()}`));
    return `${count} ${state.toLowerCase()}`;
  });
  const looked = `${rows.length} claims: ${counts.join(', ')}`;
  return { promise: 'claims are as was told, and decided one way', broken, looked };
}

const decidedBy = ({ told }: Said): string[] => Object.values(verbs).filter((state) => told.includes(state));

/** The states that a claim may have by what was said of it. */
function mayBe(said: Said): string[] {
  if (said.told.includes('REVOKED')) return ['REVOKED'];
  const decided = decidedBy(said);
  if (decided.length === 0) return ['PENDING', 'EXPIRED', ...said.asked]; // after a day
  return said.asked.includes('REVOKED') ? [...decided, 'REVOKED'] : decided;
}

const WEEK_MS = 7 * 86_400_000;

/** What is decided of a dispute; of two at once one is too late. */
const outcomes = [['WON'], ['LOST'], ['LOST'], ['WON', 'LOST'], []] as const;

/** An operator opens a dispute about a credit, its partner answers, and the operator decides. */
export const dispute: Turn = async (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const [decisions, isAnswered] = [by.pick(outcomes), by.chance(50)];
  const amount = naira(by, 30);
  const made = await ask({
    kind: 'partner credits',
    method: 'POST',
    path: `/v2/partner/wallet/${by.pick(partner.wallets).reference}/credit`,
    json: { amount, reference, comment: 'to be disputed' },
    headers: () => partner.headers,
    reference,
    isPosting: true,
  });
  if (made?.status !== 200) return;
  const makes = (state: string) => ({ makes: { what: 'dispute', id: reference, state } }) as const;
  const post = (kind: string, path: string, json: object): Asked =>
    adding(operate({ kind, path: `/operator/v1/disputes${path}`, json }), { 'idempotency-key': `${reference}${path}` });

  const respondBy = new Date(Date.now() + WEEK_MS).toISOString();
  const about = { partnerId: partner.id, transactionReference: reference, reason: 'not theirs', respondBy };
  const opened = await ask({ ...post('disputes opened', '', about), ...makes('OPEN') });
  if (opened?.status !== 201) return;
  const id = String(opened.body['id']);
  if (isAnswered)
    await ask({
      kind: 'disputes answered',
      method: 'POST',
      path: `/v2/partner/dispute/${id}/evidence`,
      json: { text: 'Delivered, and signed for' },
      headers: () => ({ ...partner.headers, 'idempotency-key': `${reference}-answer` }),
    });
  const decide = (outcome: 'WON' | 'LOST') => {
    const json = { outcome, reason: 'the papers say so' };
    const asked = operate({
      kind: `disputes ${outcome.toLowerCase()}`,
      path: `/operator/v1/disputes/${id}/decide`,
      json,
    });
    return ask({ ...asked, ...makes(outcome) });
  };
  await Promise.all(decisions.map(decide));
};

/** Each dispute is what its operator was told last, decided one way, and gave the money back once when it was lost, and never otherwise. */
export async function disputesDecided(pool: Pool, { acks }: Traffic): Promise<Verdict> {
  const { rows } = await pool.query<{ reference: string; state: string; refunds: number; times: number }>(
    `select t.reference, min(d.state) as state, count(*)::int as times, sum((
              select count(*) from ledger.transaction r where r.reference = 'DSP-' || d.id and r.code is null))::int as refunds
       from disputes.dispute d join ledger.transaction t on t.id = d.transaction_id
      where t.reference like 'soak-%' group by 1`,
  );
  const found = new Map(rows.map((row) => [row.reference, row]));
  const broken = rows.flatMap(({ reference, state, refunds, times }) => [
    ...(times === 1 ? [] : [`${reference} is disputed ${times} times`]),
    ...(refunds === (state === 'LOST' ? 1 : 0)
      ? []
      : [`${reference} is ${state}, and was given back ${refunds} times`]),
  ]);
  const counts = { WON: 0, LOST: 0 };
  for (const [reference, { told, asked }] of acks.said('dispute')) {
    if (told.length === 0) continue;
    const decided = (['WON', 'LOST'] as const).filter((state) => told.includes(state));
    for (const state of decided) counts[state] += 1;
    const state = found.get(reference)?.state ?? 'not there';
    const may: string[] = decided.length === 0 ? ['OPEN', ...asked] : decided;
    if (decided.length > 1 || !may.includes(state))
      broken.push(`${reference} was told to be ${told.join(', then ')}, and is ${state}`);
  }
  broken.push(...atLeastOne(counts.WON, 'dispute was won'), ...atLeastOne(counts.LOST, 'dispute was lost'));
  const looked = `${rows.length} disputes: ${counts.WON} told to be won, ${counts.LOST} lost`;
  return { promise: 'disputes are as was told, and give money back once when lost', broken, looked };
}
