import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { buildApp, buildOperatorApp } from '../../src/app.ts';
import { openResources, type Resources } from '../../src/composition.ts';
import { readConfig } from '../../src/config/config.ts';
import { asOwner, createDatabase, useDatabase } from './database.ts';
import { describedAnswers } from './described.ts';
import { serverEnv } from './process.ts';

/** A clock that runs, and can be set forward. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  /** From now on it moves by `advance` alone: for what is counted in seconds, on a machine of whatever speed. */
  stop(): void;
}

export function testClock(): TestClock {
  let offsetMs = 0;
  let stoppedAt: number | undefined;
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + offsetMs),
    advance: (ms) => {
      offsetMs += ms;
    },
    stop: () => {
      stoppedAt ??= Date.now();
    },
  };
}

export type Call = Omit<InjectOptions, 'method' | 'url'>;
export type Answer = LightMyRequestResponse;

export interface TestPartner {
  id: string;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
  /** Its credentials, ready to send. */
  headers: { 'x-client-id': string; 'x-api-key': string };
}

/** The whole server in this process, on a database of its own; its worker does not run. */
export interface TestApp {
  readonly app: ZodApp;
  readonly resources: Resources;
  /** The database as its owner, who may do what no server may: for what a test makes up. */
  readonly owner: Pool;
  readonly clock: TestClock;
  /** Everything it logged, as written. */
  readonly logged: string;
  /** Frees the memory of what it logged, for whoever calls it without end. */
  forgetLogged(): void;
  /** Every answer is held against the OpenAPI description of its operation. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD', url: string, call?: Call): Promise<Answer>;
  operate(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<Answer>;
  /** A new partner, through the operator API, with a float of `float` naira. */
  newPartner(given?: { float?: number; webhookUrl?: string; redirectUrl?: string }): Promise<TestPartner>;
}

type Env = Record<string, string>;
type RunningApp = TestApp & { close(): Promise<void> };

type ItsDatabase = { readonly url: string };

/** The database and the clock of another app, for a second process of the same installation. */
const sharedWith = (first: TestApp): { database: ItsDatabase; clock: TestClock } => ({
  database: {
    get url() {
      return first.resources.databaseUrl;
    },
  },
  clock: first.clock,
});

/** A server in this process, on a database that exists. */
export async function startApp(
  databaseUrl: string,
  env: Env = {},
  clock: TestClock = testClock(),
): Promise<RunningApp> {
  const lines: string[] = [];
  let partners = 0;
  const config = readConfig({}, { ...serverEnv(databaseUrl), ...env });
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const resources = await openResources(config, config.databaseUrl ?? databaseUrl, log, clock);
  const app = await buildApp(resources);
  await app.ready();
  // In live the operator has a port of their own.
  const operators = resources.environment === 'live' ? await buildOperatorApp(resources) : app;
  await operators.ready();
  const inject = (asked: InjectOptions & { url: string }): Promise<Answer> =>
    (/^\/(?:operator|console)(?:\/|$)/.test(asked.url) ? operators : app).inject(asked);
  const assertDescribed = await describedAnswers({ app: { inject }, resources });
  const owner = new Pool({ connectionString: asOwner(databaseUrl), max: 4 });

  const call: TestApp['call'] = async (method, url, options = {}) => {
    const answer = await inject({ ...options, method, url });
    try {
      assertDescribed(method, url, answer);
    } catch (error) {
      const logged = lines.findLast((line) => line.includes('"level":50'));
      throw new Error(`${String(error)}; the last error of the log: ${logged ?? 'none'}`, { cause: error });
    }
    return answer;
  };
  const operate: TestApp['operate'] = (method, url, body) =>
    call(method, `/operator/v1${url}`, {
      headers: { authorization: `Bearer ${resources.operatorToken}` },
      ...(body === undefined ? {} : { payload: body }),
    });

  return {
    app,
    resources,
    owner,
    get logged() {
      return lines.join('');
    },
    forgetLogged() {
      lines.length = 0;
    },
    clock,
    call,
    operate,
    async newPartner({ float = 0, webhookUrl, redirectUrl = 'https://partner.example/callback?from=paytag' } = {}) {
      const name = `Partner ${++partners}`;
      const { id, clientId, apiKey, webhookSecret } = (
        await operate('POST', '/partners', { name, redirectUrl, webhookUrl })
      ).json<TestPartner>();
      if (float > 0) {
        await operate('POST', `/partners/${id}/float`, { amount: float, reference: `opening-${id}` });
      }
      return { id, clientId, apiKey, webhookSecret, headers: { 'x-client-id': clientId, 'x-api-key': apiKey } };
    },
    async close() {
      await app.close();
      await operators.close();
      await resources.close();
      await owner.end();
    },
  };
}

/**
 * Builds the server before the first test of this file and closes it after the last. `env` is added to a sandbox's;
 * a function is asked for it when the tests run.
 *
 * @param on an app on whose database, and by whose clock, this one runs as well; or a database
 */
export function useApp(env: Env | (() => Env) = {}, on: TestApp | ItsDatabase = useDatabase()): TestApp {
  const { database, clock } = 'resources' in on ? sharedWith(on) : { database: on, clock: testClock() };
  let running: RunningApp | undefined;
  beforeAll(async () => {
    running = await startApp(database.url, typeof env === 'function' ? env() : env, clock);
  });
  afterAll(async () => {
    await running?.close();
    running = undefined; // or the worker would keep it in memory, with the file, for as long as it runs
  });
  return delegating(() => running, clock);
}

/** The app of this worker, for the files that share it. It ends with the worker. */
let ofWorker: Promise<RunningApp> | undefined;
/** No file finds what wrong tokens of another one used up. */
const SHARED_ENV = { RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '0' };

/**
 * One server for all files of a worker that ask for it: a file with a server of its own takes a third more CPU. It is for what holds
 * whatever else an installation keeps: a file makes its own partners and customers, and looks at these alone. Whoever counts or checks
 * everything, sets the clock or works on all rows, as the worker does, asks for `useApp`.
 */
export function useSharedApp(): TestApp {
  let shared: RunningApp | undefined;
  beforeAll(async () => {
    shared = await (ofWorker ??= createDatabase({ isKept: true }).then((url) => startApp(url, SHARED_ENV, running)));
    shared.forgetLogged();
  });
  return delegating(() => shared, running);
}

const isShared = (): never => {
  throw new Error('other files share this clock: take useApp');
};
/** The clock of what is shared. */
const running: TestClock = { now: () => new Date(), advance: isShared, stop: isShared };

/** What a test takes hold of before the app runs. */
function delegating(app: () => RunningApp | undefined, clock: TestClock): TestApp {
  const live = () => {
    const started = app();
    if (started === undefined) throw new Error('the app runs from beforeAll to afterAll');
    return started;
  };
  return {
    get app() {
      return live().app;
    },
    get resources() {
      return live().resources;
    },
    get owner() {
      return live().owner;
    },
    get logged() {
      return app()?.logged ?? '';
    },
    forgetLogged: () => live().forgetLogged(),
    clock,
    call: (...given) => live().call(...given),
    operate: (...given) => live().operate(...given),
    newPartner: (...given) => live().newPartner(...given),
  };
}
