import {
  PayoutNotSent,
  type PayoutOrder,
  type PayoutProvider,
  type PayoutReport,
  PayoutUnknown,
} from '../../src/providers/payout/port.ts';
import { listed } from './cases.ts';

const MINUTE_MS = 60_000;
/** What is on its way to the bank is there by then: sooner than a payout counts as never sent. */
const LATE_MAX_MS = 10 * MINUTE_MS;
/** So long the bank may say that it does not have what it has. */
const UNSEEN_MS = MINUTE_MS;

export type PaymentStatus = 'failed' | 'paid' | 'reversed';

interface Payment {
  status: PaymentStatus;
  amount: bigint;
  /** When the bank has it. */
  at: number;
  /** Whether it did not say so at once. */
  isQuiet: boolean;
}

/** What may happen to a request for a payment, each as likely as the others. */
const sendFates = listed`pays | pays | pays | queues | fails | refuses | says nothing | lost | late | away | wrong`;
const askFates = ['tells', 'tells', 'says nothing', 'away', 'unseen', 'still pending'];

/** An integer from 0 on, below `below`, that only its words decide. */
function drawn(below: number, ...words: (string | number | bigint)[]): number {
  let hash = 0x811c9dc5;
  for (const char of words.join('|')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 13)) % below;
}

/**
 * A bank that pays what it is asked to, each time that it is asked, and keeps a list of it. It answers late, wrongly, never or
 * with what is no longer true; what it says to be the end of a payment is. Its seed alone, and the amount of a payment, decide
 * what it does.
 */
export class UnreliableBank {
  readonly payments = new Map<string, Payment>();
  /** References that it was asked to pay more than once. */
  readonly askedAgain: string[] = [];
  /** What it would tell of its own accord: it may be told twice, late, and in any order. */
  readonly toTell: { reference: string; amount: number; what: 'success' | 'failed' | 'reversed' }[] = [];
  isHonest = false;
  #visits = 0;

  readonly #seed: number;
  readonly #now: () => Date;

  constructor(seed: number, now: () => Date) {
    this.#seed = seed;
    this.#now = now;
  }

  readonly provider: PayoutProvider = {
    name: 'paystack',
    leastAmount: 100n,
    recheckAfterMs: 24 * 60 * MINUTE_MS,
    send: async (order, record) => this.#send(order, record),
    verify: async (order) => this.#verify(order),
  };

  /** What the bank has of a reference by now. */
  of(reference: string): Payment | undefined {
    const payment = this.payments.get(reference);
    return payment !== undefined && payment.at <= this.#now().getTime() ? payment : undefined;
  }

  /** The bank's staff look for a payment for us. What is still on its way is stopped. */
  lookUp(reference: string): PaymentStatus | undefined {
    const payment = this.of(reference);
    if (payment === undefined) this.payments.delete(reference);
    return payment?.status;
  }

  /** Sends back the `which`-th of what it has paid. */
  sendBack(which: number): void {
    const paid = [...this.payments].filter(([reference, { status }]) => status === 'paid' && this.of(reference));
    const [reference, payment] = paid[which % Math.max(1, paid.length)] ?? [];
    if (reference === undefined || payment === undefined) return;
    payment.status = 'reversed';
    this.#tell(reference, payment);
  }

  async #send({ reference, amount }: PayoutOrder, record: () => Promise<boolean>): Promise<PayoutReport> {
    const fate = sendFates[drawn(sendFates.length, this.#seed, amount, ++this.#visits)] ?? '';
    if (fate === 'away' && !this.isHonest) throw new PayoutNotSent('the bank is away');
    if (!(await record())) throw new PayoutNotSent('another worker has taken it over');
    if (this.payments.has(reference)) this.askedAgain.push(reference);
    if (fate === 'lost') throw new PayoutUnknown('it never arrived');
    const lateMs = fate === 'late' ? drawn(LATE_MAX_MS, amount) : 0;
    const status = fate === 'fails' || fate === 'refuses' ? 'failed' : 'paid';
    const isQuiet = fate !== 'pays' && fate !== 'refuses';
    const payment: Payment = { status, amount, at: this.#now().getTime() + lateMs, isQuiet };
    this.payments.set(reference, payment);
    this.#tell(reference, payment);
    if (fate === 'refuses') return { state: 'FAILED', detail: 'the bank refuses' };
    if (['says nothing', 'late', 'wrong'].includes(fate)) throw new PayoutUnknown('nobody knows');
    return isQuiet ? { state: 'PENDING', providerId: `TRF_${amount}` } : { state: 'SUCCESSFUL' };
  }

  #verify({ reference, amount }: PayoutOrder): PayoutReport {
    const fate = this.isHonest ? 'tells' : askFates[drawn(askFates.length, this.#seed, amount, ++this.#visits)];
    if (fate === 'away') throw new PayoutNotSent('the bank is away');
    if (fate === 'says nothing') throw new PayoutUnknown('nobody knows');
    const payment = this.of(reference);
    const isUnseen = fate === 'unseen' && this.#now().getTime() - (payment?.at ?? 0) < UNSEEN_MS;
    if (payment === undefined || isUnseen) return { state: 'NOT_FOUND' };
    if (fate === 'still pending' && payment.isQuiet) return { state: 'PENDING' };
    if (payment.status === 'failed') return { state: 'FAILED', detail: 'the bank did not pay' };
    return { state: payment.status === 'paid' ? 'SUCCESSFUL' : 'REVERSED' };
  }

  #tell(reference: string, { status, amount }: Payment): void {
    const what = status === 'paid' ? 'success' : status;
    this.toTell.push({ reference, amount: Number(amount), what });
  }
}
