import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isStoreDown } from '#http/failures.ts';
import type { DomainError } from '#lib/domain-error.ts';
import { runAs } from '#lib/postgres/transact.ts';
import { abandonRun, beginRun, type Run, storeRunAnswer } from '#modules/idempotency';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { refusalOf } from '../support/refusals.ts';
import { newSide, newTag, walletTotals } from '../support/switch.ts';
import { newTerminal } from '../support/terminals.ts';

describe('an Idempotency-Key', () => {
  const server = useApp();
  const kyc = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };

  const open = (
    headers: Record<string, string>,
    key: string | undefined,
    payload: object = kyc,
    url = '/v2/partner/wallet',
  ) =>
    server.call('POST', url, {
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      payload,
    });

  describe('the same Idempotency-Key', () => {
    it('with the same body replays the answer, and nothing happens twice', async () => {
      const { headers } = await server.newPartner();
      const first = await open(headers, 'one');
      const second = await open(headers, 'one');
      expect(second.statusCode).toBe(200);
      expect(second.body).toBe(first.body);
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      expect(second.headers['idempotency-replayed']).toBe('true');
    });

    it('with another body is 409', async () => {
      const { headers } = await server.newPartner();
      await open(headers, 'two');
      const answer = await open(headers, 'two', { kyc: { firstName: 'Other', lastName: 'Okafor' } });
      expect(refusalOf(answer)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('for another terminal is 409, and opens nothing there', async () => {
      const partner = await server.newPartner();
      const ask = (terminal: string) =>
        server.call('POST', '/v2/partner/terminal/split', {
          headers: { ...partner.headers, 'x-terminal': terminal, 'idempotency-key': '1' },
          payload: { amount: 100, title: 'Fridge' },
        });
      const [one, other] = [await newTerminal(server, partner), await newTerminal(server, partner)];
      const first = await ask(one);
      expect((await ask(one)).body).toBe(first.body);
      expect(refusalOf(await ask(other))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('sent 20 times at once opens one wallet; the others replay or must wait', async () => {
      const { headers } = await server.newPartner();
      const answers = await Promise.all(Array.from({ length: 20 }, () => open(headers, 'race')));
      const references = answers
        .filter(({ statusCode }) => statusCode === 200)
        .map((answer) => answer.json().Reference);
      expect(references.length).toBeGreaterThan(0);
      expect(new Set(references).size).toBe(1);
      for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
        expect(refusalOf(answer)).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
        expect(answer.headers['retry-after']).toBe('1');
      }
    });

    it('of another partner is another key', async () => {
      const [one, two] = [await server.newPartner(), await server.newPartner()];
      const first = await open(one.headers, 'shared');
      const second = await open(two.headers, 'shared');
      expect(second.json().Reference).not.toBe(first.json().Reference);
    });

    it('is forgotten after 24 hours', async () => {
      const { headers } = await server.newPartner();
      const first = await open(headers, 'old');
      server.clock.advance(24 * 60 * 60 * 1000 + 1);
      const second = await open(headers, 'old');
      expect(second.json().Reference).not.toBe(first.json().Reference);
    });

    it('replays a refusal too', async () => {
      const { headers } = await server.newPartner();
      const first = await open(headers, 'refused', { profileId: 1 });
      const second = await open(headers, 'refused', { profileId: 1 });
      expect(first.statusCode).toBe(404);
      expect(second.body).toBe(first.body);
      expect(second.headers['idempotency-replayed']).toBe('true');
    });

    it('under wrong credentials stores nothing', async () => {
      const { headers } = await server.newPartner();
      const wrong = await open({ ...headers, 'x-api-key': 'sk_sandbox_wrong' }, 'auth');
      expect(wrong.statusCode).toBe(401);
      expect((await open(headers, 'auth')).statusCode).toBe(200);
    });
  });

  describe('of what was done, and whose answer was lost, a repeat says so', () => {
    it('where the request failed on our side afterwards', async () => {
      const acme = await newSide(server, 'Acme');
      const headers = { ...acme.headers, 'idempotency-key': 'failed afterwards' };
      const receiverTag = await newTag(server, acme);
      const { held } = await walletTotals(server, acme);
      const payload = { senderTag: acme.tag, receiverTag, amount: 100, currency: 'NGN' };
      // Not by `call`, to which a 500 is never an answer.
      const ask = () => server.app.inject({ method: 'POST', url: '/api/v1/transactions', headers, payload });
      await server.owner.query('alter table webhooks.delivery rename last_error to elsewhere');
      onTestFinished(async () => {
        await server.owner.query('alter table webhooks.delivery rename elsewhere to last_error');
      });
      const failed = await ask();
      expect(refusalOf(failed)).toEqual([500, 'INTERNAL_ERROR']);
      expect(refusalOf(await ask())).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']);
      const after = await walletTotals(server, acme);
      expect(after.held - held).toBeLessThan(20_000);
    });

    it('where it was given, and could not be stored', async () => {
      const { headers } = await server.newPartner();
      await server.owner.query(
        'alter table idempotency.request add constraint no_answer check (status_code is null) not valid',
      );
      onTestFinished(async () => {
        await server.owner.query('alter table idempotency.request drop constraint no_answer');
      });
      const answer = await open(headers, 'not stored');
      expect(answer.statusCode).toBe(200);
      server.clock.advance(15_001);
      expect(refusalOf(await open(headers, 'not stored'))).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']);
    });
  });

  describe('a path that is written in another way', () => {
    it('is the same operation: one wallet, however often it is asked for', async () => {
      const { headers } = await server.newPartner();
      const before = Number((await server.call('GET', '/v2/partner/wallet', { headers })).json().count);
      const spelt = [
        '/v2/partner/wallet',
        '/v2/partner/wallet/',
        '/v2/partner/%77allet',
        'http://localhost/v2/partner/wallet',
      ];
      const answers = [];
      for (const url of [...spelt, '/v2/%70artner/wallet/', 'https://other.example/v2/partner/wallet']) {
        answers.push(await open(headers, 'one of six', kyc, url));
      }
      expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
      expect(answers[0]?.statusCode).toBe(200);
      expect(refusalOf(await open(headers, 'one of six', kyc, '/v2/partner/wallet?x=1'))).toEqual([
        409,
        'IDEMPOTENCY_KEY_REUSED',
      ]);
      const after = Number((await server.call('GET', '/v2/partner/wallet', { headers })).json().count);
      expect(after - before).toBe(1);
    });

    it('has its parameters compared decoded, and its query by what it asks', async () => {
      const { headers } = await server.newPartner();
      const [one, other] = [await open(headers, 'wallet one'), await open(headers, 'wallet two')];
      const credit = async (reference: string, url = `/v2/partner/wallet/${reference}/credit`) =>
        server.call('POST', url, {
          headers: { ...headers, 'idempotency-key': 'credit' },
          payload: { amount: 1, reference: 'idem-credit' },
        });
      const { Reference: first } = one.json<{ Reference: string }>();
      const { Reference: second } = other.json<{ Reference: string }>();
      const begun = await credit(first);
      const encoded = Array.from(first, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      expect((await credit(first, `/v2/partner/wallet/${encoded}/credit/`)).headers['idempotency-replayed']).toBe(
        'true',
      );
      expect((await credit(second)).headers['idempotency-replayed']).toBeUndefined();
      expect(begun.headers['idempotency-replayed']).toBeUndefined();
      const asked = async (query: string) => credit(first, `/v2/partner/wallet/${first}/credit?${query}`);
      expect((await asked('a=1&b=2')).json().errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    });
  });

  it('a key that is empty or too long is 400', async () => {
    const { headers } = await server.newPartner();
    for (const key of ['', 'x'.repeat(256)]) expect((await open(headers, key)).statusCode).toBe(400);
  });

  it('answers are kept sealed: they may hold secrets', async () => {
    const { headers } = await server.newPartner();
    const answer = await open(headers, 'sealed');
    const { rows } = await server.owner.query(`select answer_sealed from idempotency.request`);
    for (const row of rows) expect(row.answer_sealed?.toString('latin1') ?? '').not.toContain(answer.json().Reference);
    expect(rows.length).toBeGreaterThan(0);
  });

  describe('a run', () => {
    const scopeOf = (key: string) => ({
      credential: 'partner:1',
      customer: '',
      method: 'POST',
      operation: '/v2/here',
      parameters: {},
      key,
    });
    const begin = async (key: string) => {
      const begun = await beginRun(server.resources, scopeOf(key), { body: '{}', requestId: key, route: '' });
      if (!('runId' in begun)) throw new Error('it has been run');
      return begun;
    };
    const waitOf = (key: string) =>
      begin(key).then(
        (): unknown[] => [],
        (error: DomainError): unknown[] => [error.code, error.retryAfterS],
      );

    it('of which nothing is heard any more keeps its key for 15 seconds, and says for how long', async () => {
      await begin('silent');
      expect(await waitOf('silent')).toEqual(['IDEMPOTENCY_KEY_IN_FLIGHT', 1]);
      server.clock.advance(6_000);
      expect(await waitOf('silent')).toEqual(['IDEMPOTENCY_KEY_IN_FLIGHT', 9]);
      server.clock.advance(9_001);
      await begin('silent');
    });

    it('that goes on keeps its key', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const run = await begin('slow');
      for (let passed = 0; passed < 20; passed += 4) {
        server.clock.advance(4_000);
        vi.advanceTimersByTime(4_000);
        await server.resources.db.execute('select 1');
      }
      expect(await waitOf('slow')).toEqual(['IDEMPOTENCY_KEY_IN_FLIGHT', expect.any(Number)]);
      await abandonRun(server.resources, run);
      await begin('slow');
    });

    it('that has lost its key to another commits nothing, and may be sent again', async () => {
      const run = await begin('taken');
      const late = runAs(run, () =>
        server.resources.transact(async (tx) => {
          await tx.execute(`insert into audit.entry (actor, action, target) values ('late', 'late', 'late')`);
          server.clock.advance(15_001);
          await begin('taken');
        }),
      );
      const failure: unknown = await late.catch((error: unknown) => error);
      expect(isStoreDown(failure)).toBe(true);
      expect((await server.owner.query(`select from audit.entry where actor = 'late'`)).rows).toEqual([]);
    });

    it('whose process died, or failed, after it had committed is not run again; what was refused is', async () => {
      const commit = (key: string) =>
        begin(key).then(async (run) => {
          await runAs(run, () => server.resources.transact(async (tx) => tx.execute('select 1')));
          return run;
        });
      await commit('died');
      expect((await waitOf('died'))[0]).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
      server.clock.advance(15_001);
      expect((await waitOf('died'))[0]).toBe('IDEMPOTENCY_ANSWER_LOST');
      await abandonRun(server.resources, await commit('failed'), { mayBeDone: true });
      expect((await waitOf('failed'))[0]).toBe('IDEMPOTENCY_ANSWER_LOST');
      await abandonRun(server.resources, await begin('nothing done'), { mayBeDone: true });
      await begin('nothing done');
      await abandonRun(server.resources, await commit('refused'));
      await storeRunAnswer(server.resources, await begin('refused'), { statusCode: 200, contentType: 'x/y', body: '' });
    });
  });
});

describe('a key in two requests at the same time', () => {
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
});
