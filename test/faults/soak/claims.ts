import type { Pool } from 'pg';
import type { Said } from './acks.ts';
import { type Asked, adding, applicationCall, type Turn } from './asked.ts';
import type { Traffic } from './clients.ts';
import { atLeastOne, type Verdict } from './verdict.ts';
import type { SoakApplication } from './world.ts';

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
