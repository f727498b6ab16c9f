import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  AMOUNT,
  approve,
  askedFunding,
  floatOf,
  newOperator,
  operateAs,
  type TestOperator,
} from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { another } from '../../support/tags.ts';

const server = useApp({ APPROVAL_ABOVE: '10' });
/** Where nobody is an operator but root. */
const fresh = useApp({ APPROVAL_ABOVE: '10' });
const promoting = useApp({ APPROVAL_ABOVE: '10' });
const REASON = { reason: 'as agreed' };
const DAY_MS = 24 * 3_600_000;
const OWN = [403, 'APPROVAL_OWN'];

type Who = Pick<TestOperator, 'operate'>;

/** An operator whom another makes, and whose token that one has seen. */
async function madeBy(maker: Who, role: 'finance' | 'admin', on = server): Promise<{ id: string } & Who> {
  const made = await maker.operate('POST', '/operators', { name: another(`${role} `), role });
  const { id, token } = made.json<{ id: string; token: string }>();
  return { id, operate: operateAs(on, token) };
}

/** The operator, by the token that another had made for them. */
async function withTokenBy(by: Who, action: 'rotate' | 'enable', { id }: { id: string }): Promise<Who> {
  const answer = await by.operate('POST', `/operators/${id}/${action}`, REASON);
  return { operate: operateAs(server, answer.json<{ token: string }>().token) };
}

/** How an admin comes to the token, or the role, of somebody who may approve. */
const ways: Record<string, (admin: Who) => Promise<Who>> = {
  made: (admin) => madeBy(admin, 'finance'),
  'had an admin made by whom they': async (admin) => madeBy(await madeBy(admin, 'admin'), 'finance'),
  promoted: async (admin) => {
    const viewer = await newOperator(server, 'viewer');
    await admin.operate('PATCH', `/operators/${viewer.id}`, { ...REASON, role: 'finance' });
    return viewer;
  },
  'gave a new token to': async (admin) => withTokenBy(admin, 'rotate', await newOperator(server, 'finance')),
  enabled: async (admin) => {
    const colleague = await newOperator(server, 'finance');
    await server.operate('POST', `/operators/${colleague.id}/disable`, REASON);
    return withTokenBy(admin, 'enable', colleague);
  },
};

it.each(Object.keys(ways))(
  'V2.3.5: nobody has it approved by an operator whom they %s, before or after they asked',
  async (way) => {
    const admin = await newOperator(server, 'admin');
    for (const order of ['before', 'after']) {
      const before = order === 'before' ? await ways[way]?.(admin) : undefined;
      const { id, partnerId } = await askedFunding(server, admin);
      const second = before ?? (await ways[way]?.(admin));
      if (second === undefined) throw new Error('no such way');
      expect([order, ...refusalOf(await approve(second, id))]).toEqual([order, ...OWN]);
      expect(await floatOf(server, partnerId)).toBe(0);
    }
  },
);

it('V2.3.5: nor does root, alone', async () => {
  const second = await madeBy(server, 'finance');
  const { id } = await askedFunding(server, server);
  expect(refusalOf(await approve(second, id))).toEqual(OWN);
});

it('V2.3.5: nor does one admin by two colleagues whose tokens they have both made', async () => {
  const admin = await newOperator(server, 'admin');
  const [asks, approves] = await Promise.all(
    ['asks', 'approves'].map(async () => withTokenBy(admin, 'rotate', await newOperator(server, 'finance'))),
  );
  if (asks === undefined || approves === undefined) throw new Error('two were made');
  const { id } = await askedFunding(server, asks);
  for (const second of [approves, admin]) expect(refusalOf(await approve(second, id))).toEqual(OWN);
});

it('who was refused so ends nothing: another approves it', async () => {
  const admin = await newOperator(server, 'admin');
  const { id, partnerId } = await askedFunding(server, admin);
  await approve(await madeBy(admin, 'finance'), id);
  expect((await approve(await newOperator(server, 'finance'), id)).json()).toMatchObject({ status: 'EXECUTED' });
  expect(await floatOf(server, partnerId)).toBe(AMOUNT);
});

it('V2.3.5: nor does an admin approve what is asked for by whom they made', async () => {
  const admin = await newOperator(server, 'admin');
  const { id } = await askedFunding(server, await madeBy(admin, 'finance'));
  expect(refusalOf(await approve(admin, id))).toEqual(OWN);
});

it('who rotated their own token approves as before', async () => {
  const { id } = await askedFunding(server, await newOperator(server, 'finance'));
  const own = await newOperator(server, 'finance');
  expect((await approve(await withTokenBy(own, 'rotate', own), id)).json()).toMatchObject({ status: 'EXECUTED' });
});

/** How an admin alone comes to the token of somebody who may approve, and it stays in their hands however often that one changes it. */
const waysToTokens = Object.keys(ways).filter((way) => way !== 'promoted');

it.each(waysToTokens)('V2.3.5: two months later an admin still is nobody’s second whom they %s', async (way) => {
  const admin = await newOperator(server, 'admin');
  const second = await ways[way]?.(admin);
  if (second === undefined) throw new Error('no such way');
  const { id: secondId } = (await second.operate('GET', '/operators/me')).json<{ id: string }>();
  const rotated = await withTokenBy(second, 'rotate', { id: secondId });
  server.clock.advance(60 * DAY_MS);
  for (const [asks, approves] of [[admin, rotated] as const, [rotated, admin] as const]) {
    const { id, partnerId } = await askedFunding(server, asks);
    expect(refusalOf(await approve(approves, id))).toEqual(OWN);
    expect(await floatOf(server, partnerId)).toBe(0);
  }
});

it('a new token by another admin parts two whom one has made', async () => {
  const [admin, other] = await Promise.all([newOperator(server, 'admin'), newOperator(server, 'admin')]);
  const [asks, approves] = [await madeBy(admin, 'finance'), await madeBy(admin, 'finance')];
  server.clock.advance(2 * DAY_MS);
  const refused = await askedFunding(server, asks);
  expect(refusalOf(await approve(approves, refused.id))).toEqual(OWN);
  const parted = await withTokenBy(other, 'rotate', approves);
  server.clock.advance(2 * DAY_MS);
  const { id } = await askedFunding(server, asks);
  expect((await approve(parted, id)).json()).toMatchObject({ status: 'EXECUTED' });
});

it('V2.3.5: a thousand new tokens of one’s own hide nobody who gave one before', async () => {
  const admin = await newOperator(server, 'admin');
  const second = await madeBy(admin, 'finance');
  await server.owner.query(
    `insert into audit.entry (actor, action, target) select 'operator:' || $1, 'operator.token.rotate', $1
       from generate_series(1, 1001)`,
    [second.id],
  );
  const { id } = await askedFunding(server, admin);
  expect(refusalOf(await approve(second, id))).toEqual(OWN);
});

it('a day after root made them they are anybody’s second, as is whom another promoted', async () => {
  const admin = await newOperator(server, 'admin');
  const seconds = [await madeBy(server, 'finance'), await ways['promoted']?.(admin)];
  server.clock.advance(DAY_MS + 60_000);
  for (const second of seconds) {
    if (second === undefined) throw new Error('two were made');
    const { id } = await askedFunding(server, admin);
    expect((await approve(second, id)).json()).toMatchObject({ status: 'EXECUTED' });
  }
});

it('before there are two admins root alone approves what is asked for by whom they have just made; once there were two, for good not', async () => {
  const [second, third] = [await madeBy(fresh, 'finance', fresh), await madeBy(fresh, 'finance', fresh)];
  const ask = () => askedFunding(fresh, second);
  expect((await approve(fresh, (await ask()).id)).json()).toMatchObject({ status: 'EXECUTED' });
  expect(refusalOf(await approve(third, (await ask()).id))).toEqual(OWN);
  const admin = await madeBy(fresh, 'admin', fresh);
  expect((await approve(fresh, (await ask()).id)).json()).toMatchObject({ status: 'EXECUTED' });
  const other = await madeBy(fresh, 'admin', fresh);
  const isOver = async (after: string) => {
    for (const approves of [fresh, third]) {
      expect([after, ...refusalOf(await approve(approves, (await ask()).id))]).toEqual([after, ...OWN]);
    }
  };
  await isOver('made');
  await fresh.operate('PATCH', `/operators/${other.id}`, { ...REASON, role: 'viewer' });
  await isOver('demoted');
  for (const { id } of [other, admin]) await fresh.operate('POST', `/operators/${id}/disable`, REASON);
  await isOver('disabled');
});

it('so it is where the second of them was promoted', async () => {
  const second = await madeBy(promoting, 'finance', promoting);
  await madeBy(promoting, 'admin', promoting);
  const promoted = await madeBy(promoting, 'finance', promoting);
  for (const role of ['admin', 'finance'])
    await promoting.operate('PATCH', `/operators/${promoted.id}`, { ...REASON, role });
  expect(refusalOf(await approve(promoting, (await askedFunding(promoting, second)).id))).toEqual(OWN);
});
