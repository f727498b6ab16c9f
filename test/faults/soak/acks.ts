import type { Asked, OfferStatus } from './asked.ts';

/** Of those that were answered so many are asked again at the end. */
const KEPT_MAX = 30_000;

/** What a caller was told of something that moves money. */
export interface Told {
  readonly asked: Asked;
  /** What must be the same for ever; undefined when nobody answered before the caller gave up. */
  readonly outcome: string | undefined;
}

/** What was asked for and what was answered, by reference. */
export interface Acks {
  note(asked: Asked, outcome: string | undefined): void;
  /** Whether each reference was posted, was declined, or was not answered. */
  readonly outcomes: ReadonlyMap<string, 'posted' | 'declined' | 'unknown'>;
  /** What was told last of each offer, by reference; nothing while nobody answered. */
  readonly offers: ReadonlyMap<string, OfferStatus>;
  /** What to ask again: all that was not answered, and of the rest as many as are kept. */
  readonly kept: readonly Told[];
  /** What the answers add up to, in kobo by counted wallet. What was not answered is not in it. */
  readonly sums: Map<string, number>;
}

export function openAcks(): Acks {
  const outcomes = new Map<string, 'posted' | 'declined' | 'unknown'>();
  const offers = new Map<string, OfferStatus>();
  const kept: Told[] = [];
  const sums = new Map<string, number>();
  return {
    note(asked, outcome) {
      const { reference, isPosting, counted, offer } = asked;
      const isPosted = outcome?.startsWith('2') === true;
      if (offer !== undefined && isPosted) offers.set(offer.reference, offer.becomes);
      if (reference === undefined) return;
      if (offer !== undefined && outcome !== undefined && !isPosted) offers.set(reference, 'DECLINED');
      if (isPosting) outcomes.set(reference, outcome === undefined ? 'unknown' : isPosted ? 'posted' : 'declined');
      if (counted !== undefined && isPosted) addTo(sums, counted);
      if (outcome === undefined || kept.length < KEPT_MAX) kept.push({ asked, outcome });
    },
    outcomes,
    offers,
    kept,
    sums,
  };
}

export function addTo(sums: Map<string, number>, { wallet, kobo }: { wallet: string; kobo: number }): void {
  sums.set(wallet, (sums.get(wallet) ?? 0) + kobo);
}

/** What of an answer must be the same whenever the same is asked. */
export function outcomeOf({ status, body }: { status: number; body: Record<string, unknown> }): string {
  const { ID, Amount, Type, errorCode } = body;
  const { id, amount } = Object(body['data']) as Record<string, unknown>;
  return `${status} ${JSON.stringify([ID ?? id, Amount ?? amount, Type, errorCode || undefined])}`;
}
