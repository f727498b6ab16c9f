import type { ProviderClient } from '../../src/providers/http-client.ts';
import { paystackRail } from '../../src/providers/rails/paystack.ts';
import { chargeMessage } from './inbound.ts';

/** A payment that somebody made to one of a provider's account numbers. */
export interface Incoming {
  reference: string;
  accountNumber: string;
  /** Kobo, or cents. */
  amount: number;
  currency: string;
  /** When it came in, and from when on it stands in the list. */
  at: number;
  listedAt: number;
}

/**
 * What a provider has collected for us, as Paystack lists it, and finds it by its reference. In its list a payment may stand
 * late; while it is away, it gives no usable answer.
 */
export class CollectingBank {
  readonly payments = new Map<string, Incoming>();
  isAway = false;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Somebody pays. */
  take(paid: Omit<Incoming, 'at' | 'listedAt'>, lateMs: number): Incoming {
    const at = this.#now().getTime();
    const payment = { ...paid, at, listedAt: at + lateMs };
    this.payments.set(payment.reference, payment);
    return payment;
  }

  /** What is asked of it for a comparison. */
  get rail() {
    const client: ProviderClient = {
      ask: async ({ path, query }) => this.#answer(path, query),
      health: () => undefined,
      close: async () => undefined,
    };
    return paystackRail(client, { TRANSFER: undefined, CHARGE: 'a key' });
  }

  #answer(path: string, query: Record<string, string> = {}) {
    if (this.isAway) return { status: 502, body: undefined };
    const now = this.#now().getTime();
    const listed = [...this.payments.values()].filter(({ listedAt }) => listedAt <= now);
    const [verb, reference = ''] = path.split('/').slice(2);
    if (verb === 'verify') {
      const found = listed.find((one) => one.reference === decodeURIComponent(reference));
      if (found === undefined) return { status: 404, body: { status: false, message: 'Transaction not found' } };
      return { status: 200, body: { status: true, message: '', data: dataOf(found) } };
    }
    const { from = '', to = '', page = '1', perPage = '50' } = query;
    const ofDay = listed.filter(({ at }) => at >= Date.parse(from) && at <= Date.parse(to));
    const start = (Number(page) - 1) * Number(perPage);
    const meta = { pageCount: Math.ceil(ofDay.length / Number(perPage)) };
    const data = ofDay.slice(start, start + Number(perPage)).map(dataOf);
    return { status: 200, body: { status: true, message: '', data, meta } };
  }
}

const dataOf = (payment: Incoming): unknown => JSON.parse(chargeMessage(payment)).data;
