import type { Seeded } from '../../support/cases.ts';
import type { ClientAnswer, Method } from '../../support/client.ts';
import {
  operator,
  type SoakApplication,
  type SoakCustomer,
  type SoakPartner,
  type SoakWallet,
  type SoakWorld,
} from './world.ts';

export type OfferStatus = 'AWAITING_ACCEPTANCE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'DECLINED';

/** Of what kind something is that is made by one call, changed by others, and held to what was said of it afterwards. */
export type Kind = 'claim' | 'customer' | 'dispute' | 'payment' | 'statement';

/** A call as its caller means it, however often it must be sent. */
export interface Asked {
  readonly kind: string;
  readonly method: Method;
  readonly path: string;
  readonly json?: object;
  /** Headers as they are when it is sent: a token may have been replaced. */
  readonly headers: () => Record<string, string>;
  /** Of what moves money, by the caller's reference. It is asked again at the end, and must be answered as it was. */
  readonly reference?: string;
  /** Whether the reference is that of a posting, e.g. of a credit or a payout; that of an offer is not. */
  readonly isPosting?: boolean;
  /** Of an offer and of what decides it, by the reference of its sender: what it is when this succeeds. */
  readonly offer?: { readonly reference: string; readonly becomes: OfferStatus };
  /** Of something that is held afterwards: what it is when this succeeds. */
  readonly makes?: { readonly what: Kind; readonly id: string; readonly state: string };
  /** Whether 429 is an answer: the limit is one of hours, for which nobody waits. */
  readonly isLimited?: boolean;
  /** What it does to a wallet whose holdings are added up, in kobo. */
  readonly counted?: { readonly wallet: string; readonly kobo: number };
  /** Whose token it carries. */
  readonly caller?: SoakCustomer | SoakApplication;
}

type Answer = ClientAnswer<Record<string, unknown>>;
/** Sends a call until it is answered for good; undefined when the caller has given it up. */
export type Ask = (asked: Asked) => Promise<Answer | undefined>;
/** What a client does in one turn: its decisions are all drawn from `by`. */
export type Turn = (world: SoakWorld, by: Seeded, reference: string, ask: Ask) => Promise<unknown>;

export const naira = (by: Seeded, upTo: number): number => by.between(1, upTo * 100) / 100;
export const all = (partner: SoakPartner): SoakWallet[] => [...partner.counted, ...partner.wallets];

/** The same call with more headers, e.g. with an Idempotency-Key. */
export const adding = (asked: Asked, more: Record<string, string>): Asked => ({
  ...asked,
  headers: () => ({ ...asked.headers(), ...more }),
});

export const partnerGet =
  (path: (partner: SoakPartner, by: Seeded) => string): Turn =>
  (world, by, _reference, ask) => {
    const partner = by.pick(world.partners);
    return ask({
      kind: 'partner reads',
      method: 'GET',
      path: `/v2/partner${path(partner, by)}`,
      headers: () => partner.headers,
    });
  };

export const customerCall = (
  customer: SoakCustomer,
  asked: Pick<Asked, 'kind' | 'method' | 'path'> & Partial<Asked>,
): Asked => ({
  headers: () => customer.headers,
  caller: customer,
  ...asked,
});

export const applicationCall = (
  application: SoakApplication,
  asked: Pick<Asked, 'kind' | 'method' | 'path'> & Partial<Asked>,
): Asked => ({
  headers: () => application.headers,
  caller: application,
  ...asked,
});

export const operate = (asked: Pick<Asked, 'kind' | 'path'> & Partial<Asked>): Asked => ({
  method: 'json' in asked ? 'POST' : 'GET',
  headers: () => operator,
  ...asked,
});
