import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../support/app.ts';
import { operationsOf, readDocument } from '../support/described.ts';
import { auditSince, newOperator, type TestOperator } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';
import { another } from '../support/tags.ts';
import { operatorChanges } from './operator-changes.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const PREFIX = '/operator/v1';
const REASON = { reason: 'ticket 77, as agreed' };
const NOBODY = '00000000-0000-7000-8000-000000000000';

let admin: TestOperator;
beforeAll(async () => {
  admin = await newOperator(server, 'admin');
});

const send = (what: string, url: string, payload: object, key?: string): Promise<Answer> =>
  server.call(what.split(' ')[0] as 'POST' | 'PATCH', PREFIX + url, {
    headers: { authorization: `Bearer ${admin.token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload,
  });

const latest = async (): Promise<number> => (await auditSince(server, 0)).at(-1)?.id ?? 0;

/** What an answer tells that is told once. */
const secretsIn = (answer: Answer): string[] =>
  Object.entries(answer.json<Record<string, unknown>>()).flatMap(([name, value]) =>
    /^(apiKey|clientId|client_id|client_secret|webhookSecret|token)$/.test(name) ? [String(value)] : [],
  );

it('knows every operation that changes something', async () => {
  const described = operationsOf(await readDocument(server, `${PREFIX}/openapi.json`));
  const changing = described.filter(({ method }) => method !== 'GET');
  expect(Object.keys(operatorChanges).toSorted()).toEqual(
    changing.map(({ method, path }) => `${method} ${path.slice(PREFIX.length)}`).toSorted(),
  );
});

describe.each(Object.keys(operatorChanges))('%s', (what) => {
  it('leaves its entry in the audit log: who, what, when and why, before or after, and nothing secret', async () => {
    const change = await operatorChanges[what]?.(server, another('change-'));
    if (change === undefined) throw new Error('no such change');
    const known = await latest();
    const { rows } = await server.owner.query<{ now: Date }>('select clock_timestamp() as now');
    const answer = await send(what, change.url, { ...change.body, ...REASON });
    expect([200, 201, 202]).toContain(answer.statusCode);
    const entries = await auditSince(server, known);
    const own = entries.slice(0, entries.length - (change.also ?? []).length);
    expect(own.map(({ action }) => action)).toEqual([...(change.besides ?? []), change.action]);
    for (const { actor } of own) expect(actor).toBe(admin.actor);
    const done = entries.slice(own.length);
    expect(done.map(({ action }) => action)).toEqual(change.also ?? []);
    for (const { actor } of done) expect(actor).toContain(admin.actor);
    const entry = own.at(-1);
    expect(entry?.target).toBe(change.target ?? answer.json<{ id: string }>().id);
    expect(entry?.at.getTime()).toBeGreaterThanOrEqual(Math.floor(rows[0]?.now.getTime() ?? Number.NaN));
    expect(entry?.before ?? entry?.after).toEqual(expect.any(Object));
    expect(entry?.reason).toBe(REASON.reason);
    const secrets = [admin.token, ...(change.secrets ?? []), ...secretsIn(answer)];
    for (const secret of secrets) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('leaves none when it is refused', async () => {
    const change = await operatorChanges[what]?.(server, another('change-'));
    const ofNobody = what.slice(what.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, NOBODY);
    const body = ofNobody.includes(NOBODY) ? change?.body : { ...change?.body, reason: 7, name: 7, partnerId: 7 };
    const known = await latest();
    expect([400, 404]).toContain((await send(what, ofNobody, body ?? {})).statusCode);
    expect(await latest()).toBe(known);
  });
});

describe.each(Object.keys(operatorChanges).filter((what) => what.startsWith('POST')))('%s, twice', (what) => {
  it('under one Idempotency-Key is done once, and with another body refused', async () => {
    const change = await operatorChanges[what]?.(server, another('change-'));
    if (change === undefined) throw new Error('no such change');
    const key = another('key-');
    const known = await latest();
    const first = await send(what, change.url, change.body, key);
    const second = await send(what, change.url, change.body, key);
    expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(refusalOf(await send(what, change.url, { ...change.body, other: true }, key))).toEqual([
      409,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
    expect(await auditSince(server, known)).toHaveLength(
      1 + (change.besides?.length ?? 0) + (change.also?.length ?? 0),
    );
  });
});
