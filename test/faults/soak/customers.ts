import type { Pool } from 'pg';
import { clientOf, OTP_OF_THE_SIMULATOR, PASSWORD } from '../../support/client.ts';
import { type Ask, type Asked, adding, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import type { Fleet } from './fleet.ts';
import { atLeastOne, type Verdict } from './verdict.ts';
import type { SoakPartner } from './world.ts';

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
