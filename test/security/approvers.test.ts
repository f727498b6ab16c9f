import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { AMOUNT, approve, askedFunding, floatOf } from '../support/approvals.ts';
import { newOperator, operateAs, type TestOperator } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';
import { another } from '../support/tags.ts';

const server = useApp({ APPROVAL_ABOVE: '10' });
const REASON = { reason: 'as agreed' };
const DAY_MS = 24 * 3_600_000;
const OWN = [403, 'APPROVAL_OWN'];

type Who = Pick<TestOperator, 'operate'>;

/** An operator whom another makes, and whose token that one has seen. */
async function madeBy(maker: Who, role: 'viewer' | 'finance' | 'admin'): Promise<{ id: string } & Who> {
  const made = await maker.operate('POST', '/operators', { name: another(`${role} `), role });
  const { id, token } = made.json<{ id: string; token: string }>();
  return { id, operate: operateAs(server, token) };
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

it('an admin approves what an operator asks for whom they have just made', async () => {
  const admin = await newOperator(server, 'admin');
  const { id } = await askedFunding(server, await madeBy(admin, 'finance'));
  expect((await approve(admin, id)).json()).toMatchObject({ status: 'EXECUTED' });
});

it('who rotated their own token approves as before', async () => {
  const { id } = await askedFunding(server, await newOperator(server, 'finance'));
  const own = await newOperator(server, 'finance');
  expect((await approve(await withTokenBy(own, 'rotate', own), id)).json()).toMatchObject({ status: 'EXECUTED' });
});

it('a day after they were made they are anybody’s second', async () => {
  const admin = await newOperator(server, 'admin');
  const second = await madeBy(admin, 'finance');
  server.clock.advance(DAY_MS + 60_000);
  const { id } = await askedFunding(server, admin);
  expect((await approve(second, id)).json()).toMatchObject({ status: 'EXECUTED' });
});
