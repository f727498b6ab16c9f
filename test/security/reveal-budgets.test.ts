import { expect, it } from 'vitest';
import { type Answer, type TestApp, useApp } from '../support/app.ts';
import { customerWithId } from '../support/customers.ts';
import { newOperator, operateAs, type TestOperator } from '../support/operators.ts';
import { NOBODY, refusalOf } from '../support/refusals.ts';

const env = { RATE_LIMIT_REVEALS_PER_H: '6', RATE_LIMIT_FINDS_PER_H: '8' };
const server = useApp(env);
/** Another process of the same installation. */
const beside = useApp(env, server);
/** The same installation, as in a sandbox. */
const unbounded = useApp({}, server);
const HOUR_MS = 3_600_000;
const reason = 'ticket 812';

const at = (process: TestApp, { token }: TestOperator) => operateAs(process, token);
const countOf = (answers: Answer[], status: number) => answers.filter(({ statusCode }) => statusCode === status).length;

it('V2.4.1: an operator is shown so many customers in an hour, by reveals and exports in all processes together', async () => {
  const { id } = await customerWithId(unbounded, await server.newPartner());
  const [support, other] = [await newOperator(server, 'support'), await newOperator(server, 'support')];
  const asked = await Promise.all(
    [server, beside, server, beside, server, beside].flatMap((process) =>
      ['reveal', 'export'].map((what) => at(process, support)('POST', `/customers/${id}/${what}`, { reason })),
    ),
  );
  expect([countOf(asked, 200), countOf(asked, 429)]).toEqual([6, 6]);
  for (const refused of asked.filter(({ statusCode }) => statusCode === 429)) {
    expect(refusalOf(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeCloseTo(3600, -2);
  }
  expect((await other.operate('POST', `/customers/${id}/reveal`, { reason })).statusCode).toBe(200);
  server.clock.advance(HOUR_MS);
  expect((await support.operate('POST', `/customers/${id}/reveal`, { reason })).statusCode).toBe(200);
});

it('V2.4.1: whoever tries ids is stopped as well, root too', async () => {
  server.clock.advance(HOUR_MS);
  const answers = [];
  for (let turn = 0; turn < 7; turn++) {
    answers.push((await server.operate('POST', `/customers/${NOBODY}/reveal`, { reason })).statusCode);
  }
  expect(answers).toEqual([...Array<number>(6).fill(404), 429]);
});

it('V2.4.1: an operator looks for so many customers in an hour, and masked digits are not found out by trying', async () => {
  const viewer = await newOperator(server, 'viewer');
  const tries = Array.from({ length: 12 }, (_, index) => ({ bvn: String(22_222_222_200 + index) }));
  const answers = await Promise.all(
    tries.map((by, index) => at(index % 2 === 0 ? server : beside, viewer)('POST', '/customers/find', by)),
  );
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([8, 4]);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeCloseTo(3600, -2);
});

it('V16.3.3: a reveal and an export are events that name operator and customer, and nothing of what was shown', async () => {
  const { id, person } = await customerWithId(unbounded, await server.newPartner());
  const support = await newOperator(server, 'support');
  const before = server.logged.length;
  for (const what of ['reveal', 'export']) await support.operate('POST', `/customers/${id}/${what}`, { reason });
  const logged = server.logged.slice(before);
  const events = logged
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ event }) => event !== 'credential_used_from_new_address' && event !== undefined);
  const about = { customerId: id, principal: `operator:${support.id}`, level: 30 };
  expect(events).toEqual([
    expect.objectContaining({ event: 'customer_revealed', ...about }),
    expect.objectContaining({ event: 'customer_exported', ...about }),
  ]);
  for (const shown of [person.bvn, person.phone, person.email, reason]) expect(logged).not.toContain(shown);
});
