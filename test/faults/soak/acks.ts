import type { Asked, Kind, OfferStatus } from './asked.ts';

/** Of those that were answered so many are asked again at the end. */
const KEPT_MAX = 30_000;

/** What a caller was told of something that moves money. */
export interface Told {
  readonly asked: Asked;
  /** What must be the same for ever; undefined when nobody answered before the caller gave up. */
  readonly outcome: string | undefined;
}

/** What callers were told of something that was made. */
export interface Said {
  /** What it is by answers that it succeeded. */
  readonly told: readonly string[];
  /** What it may be besides, since that was asked for: a refusal may be that of a call whose first answer was lost. */
  readonly asked: readonly string[];
  /** The call by which it was first asked for. */
  readonly by: Asked;
}

/** What was asked for and what was answered, by reference. */
export interface Acks {
  note(asked: Asked, outcome: string | undefined): void;
  /** Whether each reference was posted, was declined, or was not answered. */
  readonly outcomes: ReadonlyMap<string, 'posted' | 'declined' | 'unknown'>;
  /** What was told last of each offer, by reference; nothing while nobody answered. */
  readonly offers: ReadonlyMap<string, OfferStatus>;
  /** What was said of each thing of a kind, by its id. */
  said(what: Kind): ReadonlyMap<string, Said>;
  /** What to ask again: all that was not answered, and of the rest as many as are kept. */
  readonly kept: readonly Told[];
  /** What the answers add up to, in kobo by counted wallet. What was not answered is not in it. */
  readonly sums: Map<string, number>;
}

export function openAcks(): Acks {
  const outcomes = new Map<string, 'posted' | 'declined' | 'unknown'>();
  const offers = new Map<string, OfferStatus>();
  const said = new Map<Kind, Map<string, Said>>();
  const saidOf = (what: Kind) => said.get(what) ?? new Map<string, Said>();
  const hear = ({ what, id, state }: Required<Asked>['makes'], by: Asked, isTold: boolean) => {
    const before = saidOf(what).get(id) ?? { told: [], asked: [], by };
    const now = isTold ? { told: [...before.told, state] } : { asked: [...before.asked, state] };
    said.set(what, saidOf(what).set(id, { ...before, ...now }));
  };
  const kept: Told[] = [];
  const sums = new Map<string, number>();
  return {
    note(asked, outcome) {
      const { reference, isPosting, counted, offer, makes } = asked;
      const isPosted = outcome?.startsWith('2') === true;
      if (makes !== undefined) hear(makes, asked, isPosted);
      if (offer !== undefined && isPosted) offers.set(offer.reference, offer.becomes);
      if (reference === undefined) return;
      if (offer !== undefined && outcome !== undefined && !isPosted) offers.set(reference, 'DECLINED');
      if (isPosting) outcomes.set(reference, outcome === undefined ? 'unknown' : isPosted ? 'posted' : 'declined');
      if (counted !== undefined && isPosted) addTo(sums, counted);
      if (outcome === undefined || kept.length < KEPT_MAX) kept.push({ asked, outcome });
    },
    outcomes,
    offers,
    said: saidOf,
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
