import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { PayoutProvider } from '../../providers/payout/port.ts';
import { comparePayee, type SaidPayee } from '../../providers/payout/port.ts';
import { ask } from './carry-payouts.ts';
import { findSentPayout } from './find-sent.ts';
import { openPayoutAccount } from './payout-account.ts';
import type { PayoutState } from './payout-state.ts';
import { type PayoutNews, type SettleDeps, settlePayout } from './settle-payout.ts';
import { type PayoutRow, selectByProviderReference } from './store.ts';

/** What a provider says of its own accord has become of a transfer. */
interface Hearsay {
  provider: string;
  /** Ours at the provider. */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: string;
  outcome: 'SUCCESSFUL' | 'FAILED' | 'REVERSED';
  /** Elsewhere it says that it has come to something else. */
  contradictsItself: boolean;
  providerId?: string | undefined;
  detail?: string | undefined;
  /** Whom it went to, as far as the provider says so. */
  payee: SaidPayee;
}

/** Whether it agrees with our books, and is booked there. */
type Heard =
  | { state: 'BOOKED'; transactionId: number }
  | {
      state: 'DIFFERENT';
      difference:
        | 'PAYOUT_UNKNOWN'
        | 'AMOUNT_DIFFERS'
        | 'CURRENCY_DIFFERS'
        | 'PROVIDER_DIFFERS'
        | 'PAYEE_DIFFERS'
        | 'PAYOUT_ENDED_OTHERWISE';
      transactionId?: number;
      /** The provider may still say to whom it went. */
      isRetried?: boolean;
    };

type Deps = SettleDeps & { db: Database; keyring: Keyring; payoutProvider: PayoutProvider | undefined };

/** The states of ours that what a provider says agrees with: what it says first may be told last. */
const agreeing = {
  SUCCESSFUL: ['SUCCESSFUL', 'REVERSED'],
  FAILED: ['FAILED', 'REVERSED'],
  REVERSED: ['REVERSED', 'FAILED'],
} as const satisfies Record<Hearsay['outcome'], readonly PayoutState[]>;

/**
 * Books what a provider says of its own accord, however often and in whatever order it says it. Amount, currency and provider
 * must be ours, and the account that it went to: it is never trusted for them. Where it does not name that account, the provider
 * is asked, and what it answers is booked instead; and so where what it says contradicts itself or what it said before: no message
 * gives money back against an earlier one. What does not agree changes nothing.
 */
export async function applyProviderStatus(deps: Deps, said: Hearsay): Promise<Heard> {
  const row = await selectByProviderReference(deps.db, { providerReference: said.reference });
  if (row === undefined) return { state: 'DIFFERENT', difference: 'PAYOUT_UNKNOWN' };
  const { transactionId } = row;
  const difference = differenceOf(row, said);
  if (difference !== undefined) return { state: 'DIFFERENT', difference, transactionId };
  const payee = payeeOf(deps.keyring, row, said);
  if (payee === 'DIFFERENT') return { state: 'DIFFERENT', difference: 'PAYEE_DIFFERS', transactionId };
  const { outcome: state } = said;
  const isBelieved = payee === 'SAME' && !said.contradictsItself && !contradicts(row, said);
  const news = isBelieved ? newsOf(said) : await ask(deps, deps.payoutProvider, row);
  const isStill = isBelieved ? (now: PayoutRow): boolean => !contradicts(now, said) : undefined;
  const settled = await settlePayout(deps, { providerReference: said.reference, news, isStill });
  if (settled === undefined) throw new Error(`payout ${row.id} is gone`);
  if (isStill?.(settled) === false) return applyProviderStatus(deps, said); // it has ended since it was read
  const agrees = agreeing[state].some((one) => one === settled.state);
  // What was corrected has been paid, as far as we know: it agrees with a success, and with no failure.
  if ((await isCorrected(deps.db, settled)) ? state === 'SUCCESSFUL' : agrees)
    return { state: 'BOOKED', transactionId };
  // A provider may tell of what came back before it answers so.
  const isRetried = hasEnded(news) ? isFirstOf(news, said) : news.state !== 'DIFFERENT';
  if (hasEnded(news)) return { state: 'DIFFERENT', difference: 'PAYOUT_ENDED_OTHERWISE', transactionId, isRetried };
  const unsaid = payee === 'SAME' ? ('PAYOUT_ENDED_OTHERWISE' as const) : ('PAYEE_DIFFERS' as const);
  return { state: 'DIFFERENT', difference: unsaid, transactionId, isRetried };
}

/**
 * Whether what a provider says would give money back against what is known: one that was paid has failed or has come back, or one
 * that failed, and that operators have booked as paid, has come back.
 */
const contradicts = ({ state, correctionId }: PayoutRow, { outcome }: Hearsay): boolean =>
  (state === 'SUCCESSFUL' && outcome !== 'SUCCESSFUL') ||
  (state === 'FAILED' && outcome === 'REVERSED' && correctionId !== null);

const isFirstOf = (news: PayoutNews, { outcome }: Hearsay): boolean =>
  news.state === 'SUCCESSFUL' && outcome === 'REVERSED';

function newsOf({ outcome: state, providerId, detail = '' }: Hearsay): PayoutNews {
  return state === 'FAILED' ? { state, providerId, detail } : { state, providerId };
}

const hasEnded = ({ state }: PayoutNews): boolean => Object.hasOwn(agreeing, state);

const isCorrected = async (db: Database, { correctionId, providerReference }: PayoutRow): Promise<boolean> =>
  correctionId !== null && (await findSentPayout(db, providerReference))?.isCorrected === true;

function differenceOf(row: PayoutRow, said: Hearsay) {
  if (row.provider !== said.provider) return 'PROVIDER_DIFFERS' as const;
  if (said.currency !== 'NGN') return 'CURRENCY_DIFFERS' as const;
  return row.amount === said.amount ? undefined : ('AMOUNT_DIFFERS' as const);
}

/** What operators have corrected was paid, to whomever it was. */
const payeeOf = (keyring: Keyring, row: PayoutRow, { payee }: Hearsay) =>
  row.correctionId === null ? comparePayee(payee, openPayoutAccount(keyring, row)) : 'SAME';
