import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { PayoutProvider } from '../../providers/payout/port.ts';
import { comparePayee, type SaidPayee } from '../../providers/payout/port.ts';
import { findSentPayout } from './find-payouts.ts';
import { openPayoutAccount } from './payout-account.ts';
import type { PayoutState } from './payout-state.ts';
import { pollProvider } from './send-payouts.ts';
import { type PayoutResult, type SettleDeps, settlePayout } from './settle-payout.ts';
import { type PayoutRow, selectByProviderReference } from './store.ts';

/** The status of a transfer in a provider's message. */
interface ProviderStatus {
  provider: string;
  /** Our reference at the provider. */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: string;
  outcome: 'SUCCESSFUL' | 'FAILED' | 'REVERSED';
  /** The message gives two outcomes. */
  contradictsItself: boolean;
  providerId?: string | undefined;
  detail?: string | undefined;
  /** The payee, as far as the provider names it. */
  payee: SaidPayee;
}

/** Whether the status agrees with our books, and is booked. */
type Applied =
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
      /** A later message may name the payee. */
      isRetried?: boolean;
    };

type Deps = SettleDeps & { db: Database; keyring: Keyring; payoutProvider: PayoutProvider | undefined };

/** Our states that agree with an outcome: messages may come out of order. */
const agreeing = {
  SUCCESSFUL: ['SUCCESSFUL', 'REVERSED'],
  FAILED: ['FAILED', 'REVERSED'],
  REVERSED: ['REVERSED', 'FAILED'],
} as const satisfies Record<ProviderStatus['outcome'], readonly PayoutState[]>;

/**
 * Books a provider's status of a payout, however often and in whatever order it comes. Provider, currency, amount and payee must
 * match ours. If the message does not name the payee, contradicts itself or contradicts an earlier status, the provider is polled
 * and its answer is booked instead: no message returns money against an earlier one. A status that differs changes nothing.
 */
export async function applyProviderStatus(deps: Deps, said: ProviderStatus): Promise<Applied> {
  const row = await selectByProviderReference(deps.db, { providerReference: said.reference });
  if (row === undefined) return { state: 'DIFFERENT', difference: 'PAYOUT_UNKNOWN' };
  const { transactionId } = row;
  const difference = differenceOf(row, said);
  if (difference !== undefined) return { state: 'DIFFERENT', difference, transactionId };
  const payee = payeeOf(deps.keyring, row, said);
  if (payee === 'DIFFERENT') return { state: 'DIFFERENT', difference: 'PAYEE_DIFFERS', transactionId };
  const { outcome: state } = said;
  const isTrusted = payee === 'SAME' && !said.contradictsItself && !contradicts(row, said);
  const result = isTrusted ? resultOf(said) : await pollProvider(deps, deps.payoutProvider, row);
  const stillApplies = isTrusted ? (now: PayoutRow): boolean => !contradicts(now, said) : undefined;
  const settled = await settlePayout(deps, { providerReference: said.reference, result, stillApplies });
  if (settled === undefined) throw new Error(`payout ${row.id} is gone`);
  if (stillApplies?.(settled) === false) return applyProviderStatus(deps, said); // it ended after it was read
  const agrees = agreeing[state].some((one) => one === settled.state);
  // A corrected payout counts as paid: it agrees with a success alone.
  if ((await isCorrected(deps.db, settled)) ? state === 'SUCCESSFUL' : agrees)
    return { state: 'BOOKED', transactionId };
  // A provider may report a return before its own API shows it.
  const isRetried = hasEnded(result) ? isFirstOf(result, said) : result.state !== 'DIFFERENT';
  if (hasEnded(result)) return { state: 'DIFFERENT', difference: 'PAYOUT_ENDED_OTHERWISE', transactionId, isRetried };
  const open = payee === 'SAME' ? ('PAYOUT_ENDED_OTHERWISE' as const) : ('PAYEE_DIFFERS' as const);
  return { state: 'DIFFERENT', difference: open, transactionId, isRetried };
}

/**
 * Whether a status would return money against our books: a paid payout failed or came back, or a failed one that operators
 * booked as paid came back.
 */
const contradicts = ({ state, correctionId }: PayoutRow, { outcome }: ProviderStatus): boolean =>
  (state === 'SUCCESSFUL' && outcome !== 'SUCCESSFUL') ||
  (state === 'FAILED' && outcome === 'REVERSED' && correctionId !== null);

const isFirstOf = (result: PayoutResult, { outcome }: ProviderStatus): boolean =>
  result.state === 'SUCCESSFUL' && outcome === 'REVERSED';

function resultOf({ outcome: state, providerId, detail = '' }: ProviderStatus): PayoutResult {
  return state === 'FAILED' ? { state, providerId, detail } : { state, providerId };
}

const hasEnded = ({ state }: PayoutResult): boolean => Object.hasOwn(agreeing, state);

const isCorrected = async (db: Database, { correctionId, providerReference }: PayoutRow): Promise<boolean> =>
  correctionId !== null && (await findSentPayout(db, providerReference))?.isCorrected === true;

function differenceOf(row: PayoutRow, said: ProviderStatus) {
  if (row.provider !== said.provider) return 'PROVIDER_DIFFERS' as const;
  if (said.currency !== 'NGN') return 'CURRENCY_DIFFERS' as const;
  return row.amount === said.amount ? undefined : ('AMOUNT_DIFFERS' as const);
}

/** A corrected payout counts as paid to its payee. */
const payeeOf = (keyring: Keyring, row: PayoutRow, { payee }: ProviderStatus) =>
  row.correctionId === null ? comparePayee(payee, openPayoutAccount(keyring, row)) : 'SAME';
