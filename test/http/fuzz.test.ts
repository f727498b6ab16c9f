import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorTable } from '#errors';
import { type Answer, type TestApp, useApp } from '../support/app.ts';
import { type Seeded, seeded } from '../support/cases.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../support/described.ts';
import type { GoodRequests } from './every-operation/good-requests.ts';
import { goodRequests, type Surface } from './every-operation/requests.ts';
import { type HostileWorld, makeHostileWorld } from './hostile-world.ts';
import { type Spoilt, spoil, type Whole } from './spoil.ts';

/** Each operation is asked so many times: by `npm run test:fuzz` two thousand, or as many as the variable says. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 16);
/** The same in each run of the suite, which is for what was right before; in the other another one each time. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Whatever matches alone is asked. */
const ONLY = process.env['FUZZ_ONLY'] ?? '';
/** Some of what is asked for ends credentials and things: from time to time there are new ones. */
const REQUESTS_OF_A_WORLD = 400;
/** While one waits for the database others are answered. */
const AT_ONCE = 8;
/** So many of an operation's requests are made from one that it grants, which takes several calls to make. */
const GRANTED_PERCENT = 25;
const HANGS_MS = 30_000;
const COMPLAINTS_MAX = 40;
/** More than the ordinary run asks: it takes long enough to tell how far it is. */
const IS_LONG = REQUESTS > 50;
const TELL_MS = 30_000;

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

type DocumentUrl = (typeof documentUrls)[number];

/** Making a surface's good requests takes as long as answering a hundred bad ones. */
const surfacesOf: Record<DocumentUrl, Surface[]> = {
  '/v2/openapi.json': ['partner', 'sandbox', 'sso'],
  '/api/openapi.json': ['switch'],
  '/operator/v1/openapi.json': ['operator'],
};

interface World {
  hostile: HostileWorld;
  granted: GoodRequests;
}

/** What the ordinary run does without: it takes longer to make than its requests to answer. */
async function makeWorld(documentUrl: DocumentUrl): Promise<World> {
  const granted = IS_LONG ? await goodRequests(server, surfacesOf[documentUrl]) : {};
  return { hostile: await makeHostileWorld(server), granted };
}

/** A request that is right, of a new world where what was asked for before has ended what it needs. */
async function wholeRequest(
  described: Described,
  held: { world: World },
  makeAnother: () => Promise<World>,
  by: Seeded,
): Promise<Whole> {
  try {
    return await requestIn(held.world, described, by);
  } catch {
    held.world = await makeAnother();
    return requestIn(held.world, described, by);
  }
}

async function requestIn({ hostile, granted }: World, described: Described, by: Seeded): Promise<Whole> {
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

/** Whether an answer refuses in the shape that every refusal has. */
function isRefusal(answer: Answer): boolean {
  const type = String(answer.headers['content-type']);
  if (!type.startsWith('application/json')) return type.startsWith('text/html') || answer.body === '';
  const shape = expect.objectContaining({
    success: false,
    message: expect.stringMatching(/./),
    errorCode: expect.toSatisfy((code: string) => code in errorTable),
    errors: expect.arrayContaining([expect.any(String)]),
    timestamp: expect.any(String),
    requestId: answer.headers['x-request-id'],
  });
  return shape.asymmetricMatch(answer.json());
}

/** What is wrong with the answer; undefined when it is one that is described, and in time. */
async function complaint({ method }: Described, { url, ...sent }: Spoilt): Promise<string | undefined> {
  const ended = new AbortController();
  const hangs = sleep(HANGS_MS, 'no answer' as const, { signal: ended.signal });
  const asked = server.call(method as Parameters<TestApp['call']>[0], url, sent);
  try {
    const answer = await Promise.race([asked, hangs]);
    if (answer === 'no answer') return `no answer within ${HANGS_MS} ms`;
    answered.set(answer.statusCode, (answered.get(answer.statusCode) ?? 0) + 1);
    if (answer.statusCode === 500) return answer.body;
    return answer.statusCode < 400 || isRefusal(answer) ? undefined : `no refusal in the one shape: ${answer.body}`;
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

/** Says from time to time how far it is, so that one that is slow is not taken for one that hangs. */
function progressOf(what: string, of: number): (done: number, sent: number) => void {
  const began = performance.now();
  let toldAt = began;
  return (done, sent) => {
    const now = performance.now();
    if (!IS_LONG || now - toldAt < TELL_MS) return;
    toldAt = now;
    const each = ((now - began) / sent).toFixed(1);
    process.stdout.write(`${what}: ${done} of ${of} operations, ${sent} requests, ${each} ms each; ${tell()}\n`);
  };
}

describe.each(documentUrls)('every operation of %s', (documentUrl) => {
  it(
    `asked in all the wrong ways that seed ${SEED} has, answers as described and in time, and never with a 500`,
    async () => {
      const document = await readDocument(server, documentUrl);
      const operations = operationsOf(document).filter(({ method, path }) => `${method} ${path}`.includes(ONLY));
      const progress = progressOf(documentUrl, operations.length);
      const complaints: string[] = [];
      const another = () => makeWorld(documentUrl);
      const held = { world: await another() };
      let [sent, madeAt] = [0, 0];
      for (const [done, described] of operations.entries()) {
        const name = `${described.method} ${described.path}`;
        const by = seeded(SEED).branch(name);
        for (let at = 0; at < REQUESTS && complaints.length < COMPLAINTS_MAX; at += AT_ONCE) {
          if (sent - madeAt >= REQUESTS_OF_A_WORLD) {
            held.world = await another();
            madeAt = sent;
          }
          const requests: Spoilt[] = [];
          while (requests.length < Math.min(AT_ONCE, REQUESTS - at)) {
            requests.push(spoil(await wholeRequest(described, held, another, by), queryNames(described), by));
          }
          sent += requests.length;
          const found = await Promise.all(requests.map((request) => complaint(described, request)));
          for (const [place, what] of found.entries()) {
            if (what === undefined) continue;
            const request = JSON.stringify(requests[place]).slice(0, 600);
            complaints.push(`${name}, request ${at + place}: ${what.slice(0, 600)} ${request}`);
          }
          server.forgetLogged();
          progress(done, sent);
        }
      }
      if (IS_LONG) process.stdout.write(`${documentUrl}: ${sent} requests, seed ${SEED}; in all ${tell()}\n`);
      expect(complaints).toEqual([]);
    },
    24 * 3_600_000,
  );
});
