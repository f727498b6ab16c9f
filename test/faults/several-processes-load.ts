import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import {
  type ClientAnswer,
  clientOf,
  type RemoteCustomer,
  type RemotePartner,
  remoteCustomer,
  remotePartner,
  ssoOf,
} from '../support/client.ts';

/** Guesses at a password that are looked at before it is closed: PostgreSQL counts them. */
export const GUESSES = 5;
/** PayTags that a partner may look up in a minute: Redis counts them, and PostgreSQL while Redis does not. */
export const LOOK_UPS = 12;
export const LIMITED = { RATE_LIMIT_VERIFY_TAGS_PER_M: String(LOOK_UPS) };

export const person = (number: number) => ({
  paytag: `several.${'abcdefghij'[number]}`,
  bvn: `2221234050${number}`,
  phone: `+234803123405${number}`,
  firstName: 'Ada',
});

export interface Limits {
  /** Many guesses at once at a customer's password, at every process that serves. Resolves to how many were looked at. */
  guessesLookedAt(number: number): Promise<number>;
  /** Many PayTags looked up at once by a new partner, at every process that serves. Resolves to how many were let through. */
  lookUpsLetThrough(): Promise<number>;
  /** Look-ups that PostgreSQL has counted. */
  countedByPostgres(): Promise<number>;
}

/** @param origin of one process that serves after the other */
export function limitsOf(
  origin: (at: number) => string,
  partner: RemotePartner & { headers: Record<string, string> },
  owner: Pool,
): Limits {
  return {
    async guessesLookedAt(number) {
      const { paytag } = await remoteCustomer(clientOf(origin(0)), partner, person(number));
      const guess = (at: number) => ssoOf(clientOf(origin(at)), partner).logIn(paytag, 'Kilimanjaro-78');
      const answers = await Promise.all(Array.from({ length: 6 * GUESSES }, (_, at) => guess(at)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
      return answers.filter(({ status }) => status === 401).length;
    },
    async lookUpsLetThrough() {
      const { headers } = await remotePartner(clientOf(origin(0)), { name: 'Looks up' });
      const lookUp = (at: number) =>
        clientOf(origin(at))('GET', `/v2/sso/verify-tag?paytag=nobody.has.${at}`, { headers });
      const answers = await Promise.all(Array.from({ length: 6 * LOOK_UPS }, (_, at) => lookUp(at)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      return answers.filter(({ status }) => status === 200).length;
    },
    async countedByPostgres() {
      const { rows } = await owner.query<{ spent: number }>(
        `select coalesce(sum(spent), 0)::int as spent from throttles.counter where name = 'PayTags looked up'`,
      );
      return rows[0]?.spent ?? 0;
    },
  };
}

const CLIENTS = 4;
const IDLE_MS = 5;
const AGAIN_MS = 100;
/** One of so many callers asks once, whatever becomes of it; the others until they are answered. */
const ONCE_OF = 5;
/** Passes by itself: no answer, not yet, not now. */
const PASSING = new Set([0, 429, 502, 503]);

/** A call that must be done once, however often it is sent. */
export interface Asked {
  readonly kind: 'credit' | 'debit' | 'refund' | 'transfer' | 'wallet';
  readonly reference: string;
  readonly path: string;
  readonly json: object;
  readonly headers: Record<string, string>;
  /** What it does to the wallet that is added up, in kobo. */
  readonly kobo: number;
}

/** What was answered that must be the same for ever. */
export interface Outcome {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface Caller {
  readonly partner: RemotePartner & { headers: Record<string, string> };
  /** Nothing but credits, debits and refunds happens to it. */
  readonly wallet: string;
  readonly customers: readonly [RemoteCustomer, RemoteCustomer];
}

export interface Load {
  /** All that was asked for, by reference, and its outcome; undefined where nobody answered before the caller gave up. */
  readonly told: ReadonlyMap<string, { asked: Asked; outcome: Outcome | undefined }>;
  /** How many were answered. */
  readonly answered: number;
  /** Has callers ask for as much as is allowed, until the returned function is called; that one resolves when they have ended. */
  start(): () => Promise<void>;
  /** So many more turns: how long a fault takes on a slow machine does not make them more. */
  allow(turns: number): void;
  /** Sends it until it is answered. */
  ask(asked: Asked): Promise<Outcome | undefined>;
}

/** Callers of several processes, each call to the next one that serves, as a proxy would send them. */
export function openLoad(serving: () => readonly string[], caller: Caller): Load {
  const told = new Map<string, { asked: Asked; outcome: Outcome | undefined }>();
  const state = { turn: 0, made: 0, allowed: 0, answered: 0 };

  /** Sends it once, to the process whose turn it is. */
  async function send({ path, json, headers }: Asked): Promise<Outcome> {
    const origins = serving();
    const origin = origins[state.turn++ % origins.length] ?? '';
    const answer = await clientOf(origin)('POST', path, { headers, json }).catch(
      (error: unknown): ClientAnswer<Record<string, unknown>> => ({
        status: 0,
        headers: {},
        text: '',
        body: { message: String(error) },
      }),
    );
    const { timestamp: _timestamp, requestId: _requestId, ...body } = answer.body;
    return { status: answer.status, body };
  }

  async function ask(asked: Asked, patience = Number.POSITIVE_INFINITY): Promise<Outcome | undefined> {
    told.set(asked.reference, { asked, outcome: undefined });
    for (let tried = 0; tried < patience; tried += 1) {
      const outcome = await send(asked);
      if (isFinal(outcome)) {
        told.set(asked.reference, { asked, outcome });
        state.answered += 1;
        return outcome;
      }
      await sleep(AGAIN_MS);
    }
    return undefined;
  }

  async function turn(): Promise<void> {
    const number = state.made++;
    const reference = `several-${number}`;
    const amount = 1 + (number % 40) / 10;
    const patience = number % ONCE_OF === 0 ? 1 : undefined;
    const credit = movement(caller, 'credit', { reference, amount });
    const kinds = [
      () => ask(credit, patience),
      () => ask(movement(caller, 'debit', { reference, amount: amount / 2 }), patience),
      async () => {
        const made = await ask(credit, patience);
        if (made?.status === 200) await ask(refundOf(caller, credit), patience);
      },
      () => ask(transfer(caller, { reference, amount, from: 1 }), patience),
      () => ask(transfer(caller, { reference, amount, from: 0 }), patience),
      () => ask(newWallet(caller, reference), patience),
    ];
    await kinds[number % kinds.length]?.();
  }

  return {
    told,
    get answered() {
      return state.answered;
    },
    start() {
      const ending = new AbortController();
      const client = async () => {
        while (!ending.signal.aborted) await (state.made < state.allowed ? turn() : sleep(IDLE_MS));
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, client));
      return async () => {
        ending.abort();
        await clients;
      };
    },
    allow(turns) {
      state.allowed += turns;
    },
    ask,
  };
}

const isFinal = ({ status, body }: Outcome): boolean =>
  !PASSING.has(status) && body['errorCode'] !== 'IDEMPOTENCY_KEY_IN_FLIGHT';

export function movement(
  { partner, wallet }: Caller,
  kind: 'credit' | 'debit',
  { reference, amount }: { reference: string; amount: number },
): Asked {
  const kobo = Math.round(amount * 100) * (kind === 'credit' ? 1 : -1);
  const json = { amount: Math.abs(kobo) / 100, reference };
  return { kind, reference, path: `/v2/partner/wallet/${wallet}/${kind}`, json, headers: partner.headers, kobo };
}

function refundOf({ partner }: Caller, { reference: original, kobo }: Asked): Asked {
  const reference = `${original}-back`;
  const path = `/v2/partner/transaction/${original}/refund`;
  return { kind: 'refund', reference, path, json: { reference }, headers: partner.headers, kobo: -kobo };
}

function transfer(
  { customers }: Caller,
  { reference, amount, from }: { reference: string; amount: number; from: 0 | 1 },
): Asked {
  const [sender, other] = [customers[from], customers[from === 0 ? 1 : 0]];
  const json = { paytag: other.paytag, amount, reference };
  return { kind: 'transfer', reference, path: '/v2/sso/transaction', json, headers: sender.headers, kobo: 0 };
}

function newWallet({ partner }: Caller, reference: string): Asked {
  const headers = { ...partner.headers, 'idempotency-key': reference };
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  return { kind: 'wallet', reference, path: '/v2/partner/wallet', json, headers, kobo: 0 };
}
