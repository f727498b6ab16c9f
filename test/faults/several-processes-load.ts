import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteCustomer } from '../support/client.ts';
import { type ClientAnswer, clientOf, type RemotePartner } from '../support/client.ts';

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
