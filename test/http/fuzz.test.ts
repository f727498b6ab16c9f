import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type TestApp, useApp } from '../support/app.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import type { GoodRequests } from './every-operation/good-requests.ts';
import { goodRequestsOfOperator } from './every-operation/good-requests-operator.ts';
import { goodRequestsOfPartners } from './every-operation/good-requests-partner.ts';
import { goodRequestsOfSandbox } from './every-operation/good-requests-sandbox.ts';
import { goodRequestsOfSso } from './every-operation/good-requests-sso.ts';
import { goodRequestsOfSwitch } from './every-operation/good-requests-switch.ts';
import { type HostileWorld, makeHostileWorld } from './hostile-world.ts';
import { type Spoilt, spoil, type Whole } from './spoil.ts';

/** Each operation is asked so many times: by `npm run test:fuzz` two thousand, or as many as the variable says. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 5);
/** The same in each run of the suite, which is for what was right before; in the other another one each time. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Whatever matches alone is asked. */
const ONLY = process.env['FUZZ_ONLY'] ?? '';
/** What ends credentials and things: from time to time there are new ones. */
const REQUESTS_OF_A_WORLD = 400;
/** So many of an operation's requests are made from one that it grants, which takes several calls to make. */
const GRANTED_PERCENT = 25;
const HANGS_MS = 30_000;
const COMPLAINTS_MAX = 40;

const NO_LIMITS = [
  'LOGINS_PER_M',
  'FAILED_LOGINS_PER_H',
  'CODES_PER_D',
  'WRONG_CODES_PER_D',
  'MESSAGES_PER_D',
  'WRONG_PROOFS_PER_H',
  'REVEALS_PER_H',
  'FINDS_PER_H',
  'WRONG_OPERATOR_TOKENS_PER_M',
];
const server = useApp(Object.fromEntries(NO_LIMITS.map((name) => [`RATE_LIMIT_${name}`, '0'])));

const surfaces = [
  goodRequestsOfPartners,
  goodRequestsOfSandbox,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
  goodRequestsOfOperator,
];

interface World {
  hostile: HostileWorld;
  granted: GoodRequests;
}

/** What the ordinary run does without: it takes longer to make than its requests to answer. */
async function makeWorld(): Promise<World> {
  const granted: GoodRequests = {};
  if (REQUESTS > 50) for (const surface of surfaces) Object.assign(granted, await surface(server));
  return { hostile: await makeHostileWorld(server), granted };
}

async function wholeRequest(described: Described, { hostile, granted }: World, by: Seeded): Promise<Whole> {
  const make = granted[`${described.method} ${described.path}`];
  if (make !== undefined && by.chance(GRANTED_PERCENT)) {
    const kinds = ['PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'INBOUND'];
    const { url, headers, query = {}, body } = await make('', by.pick(kinds));
    return { path: url, headers, query, body };
  }
  const good = hostile.goodFor(described);
  const bodies = hostile.bodiesFor(described);
  const path = described.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => good[name] ?? 'nothing');
  return {
    path,
    query: {},
    headers: hostile.headersFor(described),
    body: bodies.length === 0 ? undefined : by.pick(bodies),
  };
}

/** How often each status was answered: a fuzz whose requests are all refused for the same reason finds little. */
const answered = new Map<number, number>();

const queryNames = ({ operation }: Described): string[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);

/** What is wrong with the answer; undefined when it is one that is described, and in time. */
async function complaint({ method }: Described, { url, ...sent }: Spoilt): Promise<string | undefined> {
  const ended = new AbortController();
  const hangs = sleep(HANGS_MS, 'no answer' as const, { signal: ended.signal });
  const asked = server.call(method as Parameters<TestApp['call']>[0], url, sent);
  try {
    const answer = await Promise.race([asked, hangs]);
    if (answer === 'no answer') return `no answer within ${HANGS_MS} ms`;
    answered.set(answer.statusCode, (answered.get(answer.statusCode) ?? 0) + 1);
    return answer.statusCode === 500 ? answer.body : undefined;
  } catch (error) {
    return String(error);
  } finally {
    ended.abort();
    hangs.catch(() => undefined);
  }
}

const tell = (): string =>
  [...answered]
    .toSorted(([, one], [, other]) => other - one)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ');

describe.each(documentUrls)('every operation of %s', (documentUrl) => {
  it(
    `asked in all the wrong ways that seed ${SEED} has, answers as described and in time, and never with a 500`,
    async () => {
      const document = await readDocument(server.app, documentUrl);
      const complaints: string[] = [];
      let world: World | undefined;
      let sent = 0;
      for (const described of operationsOf(document)) {
        const name = `${described.method} ${described.path}`;
        if (!name.includes(ONLY)) continue;
        const by = seeded(SEED).branch(name);
        for (let at = 0; at < REQUESTS && complaints.length < COMPLAINTS_MAX; at += 1) {
          if (sent++ % REQUESTS_OF_A_WORLD === 0) world = undefined;
          world ??= await makeWorld();
          const request = spoil(await wholeRequest(described, world, by), queryNames(described), by);
          const found = await complaint(described, request);
          if (found === undefined) continue;
          complaints.push(`${name}, request ${at}: ${found.slice(0, 600)} ${JSON.stringify(request).slice(0, 600)}`);
        }
      }
      if (REQUESTS > 50) process.stdout.write(`${documentUrl}: ${sent} requests, seed ${SEED}; in all ${tell()}\n`);
      expect(complaints).toEqual([]);
    },
    24 * 3_600_000,
  );
});
