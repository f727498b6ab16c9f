import { setTimeout as sleep } from 'node:timers/promises';
import { type Seeded, seeded } from '../../support/cases.ts';
import { type Client, type ClientAnswer, clientOf } from '../../support/client.ts';
import { type Acks, outcomeOf } from './acks.ts';
import type { Asked, Turn } from './asked.ts';
import { drawTurn } from './calls.ts';
import type { Fleet } from './fleet.ts';
import type { SoakWorld } from './world.ts';

/** No call waits for longer, whatever is down: a silent database is given up after 10 s, and connecting to it after another few. */
const ANSWER_MAX_MS = 45_000;
const AGAIN_MS = 300;
/** How often callers try before they give up. */
const PATIENCE = [1, 4, 40, 400];
/** Passes by itself: no answer, not yet, not now. */
const PASSING = new Set([0, 429, 502, 503]);
/** What a call that is right may be answered, beside success. */
const REFUSALS = new Set([409, 422]);

type Answer = ClientAnswer<Record<string, unknown>>;

/** What the clients saw. */
export interface Traffic {
  readonly acks: Acks;
  /** Calls by kind and status; 0 stands for no answer. */
  readonly answers: ReadonlyMap<string, Map<number, number>>;
  /** What must not have happened. */
  readonly complaints: readonly string[];
  /** How many guesses at a password were looked at. */
  readonly guesses: number;
  /** Resolves when all have ended what they do. */
  end(): Promise<void>;
}

/** What a client does in one of its turns: of a seed always the same, whatever became of those before. */
export function planTurn(
  seed: number,
  client: number,
  turn: number,
): { what: Turn; reference: string; by: Seeded; patience: number; pause: number } {
  const reference = `soak-${client}-${turn}`;
  const by = seeded(seed).branch(reference);
  const [patience, pause] = [by.pick(PATIENCE), by.fraction()];
  return { what: drawTurn(by), reference, by, patience, pause };
}

/** So many clients, each calling whichever process serves, a few seconds apart, until they are ended. */
export function startClients(
  world: SoakWorld,
  fleet: Fleet,
  acks: Acks,
  { seed, clients, callsPerS }: { seed: number; clients: number; callsPerS: number },
): Traffic {
  const ending = new AbortController();
  const answers = new Map<string, Map<number, number>>();
  const complaints: string[] = [];
  const state = { guesses: 0 };
  const complain = (what: string) => {
    if (complaints.length < 100) complaints.push(what);
  };
  const count = (kind: string, status: number) => {
    const ofKind = answers.get(kind) ?? new Map<number, number>();
    ofKind.set(status, (ofKind.get(status) ?? 0) + 1);
    answers.set(kind, ofKind);
  };

  /** Why tokens were refused: each is replaced, and more than a few say that processes do not agree. */
  const countRefusal = ({ body }: Answer) => count(`tokens refused: ${String(body['message'])}`, 401);

  async function sendTo(origin: string, asked: Asked): Promise<Answer> {
    const { method, path, json, headers } = asked;
    const answer = clientOf(origin)(method, path, { headers: headers(), json }).catch(
      (error: unknown): Answer => ({ status: 0, headers: {}, text: String(error), body: {} }),
    );
    const late = new AbortController();
    const isLate = sleep(ANSWER_MAX_MS, undefined, { signal: late.signal }).then(
      () => complain(`${asked.kind}: ${method} ${path} was not answered within ${ANSWER_MAX_MS} ms by ${origin}`),
      () => undefined,
    );
    const first = await Promise.race([answer, isLate]);
    late.abort();
    return first ?? { status: 0, headers: {}, text: 'too late', body: {} };
  }

  /** Sends it until there is an answer that counts, to whom a proxy would send it. */
  async function ask(asked: Asked, by: Seeded, patience: number): Promise<Answer | undefined> {
    for (let tried = 0; tried < patience; tried += 1) {
      const serving = fleet.serving();
      const answer = serving.length === 0 ? undefined : await sendTo(by.pick(serving), asked);
      if (answer !== undefined) {
        count(asked.kind, answer.status);
        if (answer.status === 401) countRefusal(answer);
        if (isFinal(asked, answer)) return judged(asked, answer);
        if (answer.status === 401) await asked.caller?.logIn(clientOf(by.pick(serving))).catch(() => undefined);
      }
      await sleep(AGAIN_MS * (0.5 + by.fraction()));
    }
    acks.note(asked, undefined);
    return undefined;
  }

  function isFinal({ isLimited, caller }: Asked, { status, body }: Answer): boolean {
    if (status === 429 && isLimited) return true;
    if (status === 401 && caller !== undefined) return false;
    return !PASSING.has(status) && body['errorCode'] !== 'IDEMPOTENCY_KEY_IN_FLIGHT';
  }

  function judged(asked: Asked, answer: Answer): Answer {
    const { status, text } = answer;
    if (status >= 300 && !REFUSALS.has(status) && status !== 429) {
      complain(
        `${asked.kind}: ${asked.method} ${asked.path} ${JSON.stringify(asked.json)} was answered ${status}: ${text.slice(0, 300)}`,
      );
    }
    acks.note(asked, outcomeOf(answer));
    return answer;
  }

  async function client(number: number): Promise<void> {
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      const { what, reference, by, patience, pause } = planTurn(seed, number, turn);
      const routing = by.branch('routing');
      await what(world, by, reference, (asked) => ask(asked, routing, patience));
      const pauseMs = (2_000 * clients * pause) / callsPerS;
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  /** Guesses a password all the time, at whichever process serves. */
  async function guesser(): Promise<void> {
    const by = seeded(seed).branch('guesses');
    const { paytag, headers } = world.guessed;
    while (!ending.signal.aborted) {
      const serving = fleet.serving();
      if (serving.length > 0) {
        const call: Client = clientOf(by.pick(serving));
        const json = { paytag, password: 'Kilimanjaro-78' };
        const { status } = await call('POST', '/v2/sso/auth-code?scope=profile', { headers, json }).catch(() => ({
          status: 0,
        }));
        count('guesses', status);
        if (status === 401) state.guesses += 1;
      }
      await sleep(500, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  const running = Promise.all([guesser(), ...Array.from({ length: clients }, (_, number) => client(number))]);
  return {
    acks,
    answers,
    complaints,
    get guesses() {
      return state.guesses;
    },
    async end() {
      ending.abort();
      await running;
    },
  };
}
