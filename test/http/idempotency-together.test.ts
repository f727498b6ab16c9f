import { expect, it } from 'vitest';
import type { DomainError } from '#lib/domain-error.ts';
import { beginRun, type Run, storeRunAnswer } from '#modules/idempotency';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const server = useApp();

const begin = async (key: string, { credential = 'partner:1', body = '{}' } = {}): Promise<Run> => {
  const scope = { credential, customer: '', method: 'POST', operation: '/v2/here', parameters: {}, key };
  const begun = await beginRun(server.resources, scope, { body, requestId: key, route: '' });
  if (!('runId' in begun)) throw new Error('it has been run');
  return begun;
};
const outcomeOf = (run: Promise<Run>): Promise<string> =>
  run.then(
    () => 'runs',
    (error: DomainError) => error.code,
  );
const twenty = (of: (at: number) => Promise<string>) => Promise.all(Array.from({ length: 20 }, (_, at) => of(at)));

it('of runs that begin at once under many keys each has its own, and of two under one key one has it', async () => {
  const outcomes = await twenty((at) => outcomeOf(begin(`at once ${at % 10}`)));
  expect(outcomes.filter((one) => one === 'runs')).toHaveLength(10);
  expect(outcomes.filter((one) => one === 'IDEMPOTENCY_KEY_IN_FLIGHT')).toHaveLength(10);
});

it('of keys that are asked for at once, those of dead runs are taken over once, for the same body alone, and what lives is left', async () => {
  const dead = await Promise.all(['dead', 'other body', 'answered'].map((key) => begin(key)));
  const answer = { statusCode: 200, contentType: 'x/y', body: 'first' };
  if (dead[2] !== undefined) await storeRunAnswer(server.resources, dead[2], answer);
  server.clock.advance(15_001);
  await begin('alive');
  const asked = [begin('dead'), begin('dead'), begin('other body', { body: '[]' }), begin('alive'), begin('new')];
  const [one = '', other = '', ...others] = await Promise.all(asked.map(outcomeOf));
  expect([one, other].toSorted()).toEqual(['IDEMPOTENCY_KEY_IN_FLIGHT', 'runs']);
  expect(others).toEqual(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_FLIGHT', 'runs']);
  expect(await outcomeOf(begin('dead'))).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
  await expect(begin('answered')).rejects.toThrow('it has been run');
  if (dead[0] !== undefined) await storeRunAnswer(server.resources, dead[0], answer); // too late
  expect(await outcomeOf(begin('dead'))).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
});

it('nobody waits for what only another caller’s key is kept by', async () => {
  await begin('kept');
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    await client.query(`update idempotency.request set route = route where request_id = 'kept'`);
    const waits = outcomeOf(begin('kept'));
    expect(await outcomeOf(begin('free', { credential: 'partner:2' }))).toBe('runs');
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%idempotency.reserve%'`;
    await eventually(async () => expect((await server.owner.query(waiting)).rows).toHaveLength(1));
    await client.query('rollback');
    expect(await waits).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
  } finally {
    client.release();
  }
});

it('a run that waited for its key has it as long from then as any other', async () => {
  await begin('waited for');
  server.clock.advance(15_001); // it counts as dead
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    await client.query(`update idempotency.request set route = route where request_id = 'waited for'`);
    const waits = outcomeOf(begin('waited for'));
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%idempotency.reserve%'`;
    await eventually(async () => expect((await server.owner.query(waiting)).rows).toHaveLength(1));
    server.clock.advance(10_000);
    await client.query('rollback');
    expect(await waits).toBe('runs');
  } finally {
    client.release();
  }
  server.clock.advance(10_000);
  expect(await outcomeOf(begin('waited for'))).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
});

it('runs that commit together, whatever their order, and repeats of them that come at once do not wait for each other', async () => {
  const runs = await Promise.all(['a', 'b', 'c', 'd'].map((key) => begin(key)));
  for (const inOrder of [runs, runs.toReversed()]) {
    const client = await server.resources.pool.connect();
    try {
      const [first, ...others] = inOrder;
      await client.query('begin');
      if (first !== undefined) await client.query(first.mark);
      const repeats = Promise.all(['a', 'b', 'c', 'd'].map((key) => outcomeOf(begin(key))));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%idempotency.reserve%'`;
      await eventually(async () => expect((await server.owner.query(waiting)).rows).toHaveLength(1));
      for (const { mark } of others) await client.query(mark);
      await client.query('commit');
      expect(new Set(await repeats)).toEqual(new Set(['IDEMPOTENCY_KEY_IN_FLIGHT']));
    } finally {
      client.release();
    }
  }
});

it('a run whose reservation was committed and not answered has its key when it asks again, and no other run has', async () => {
  const { idempotencyKeys } = server.resources;
  const now = server.resources.clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const asked = {
    bodyDigest: Buffer.alloc(32, 1),
    lockedUntil: at(15_000),
    expiresAt: at(60_000),
    requestId: 'again',
    now,
  };
  const reserve = (runId: string) =>
    idempotencyKeys.reserve({
      ...asked,
      scope: Buffer.alloc(32, 7),
      runId,
      method: 'POST',
      route: '',
      caller: 'partner:1',
    });
  const [own, other] = [crypto.randomUUID(), crypto.randomUUID()];
  expect([await reserve(own), await reserve(own), await reserve(other)]).toEqual([true, true, false]);
});
