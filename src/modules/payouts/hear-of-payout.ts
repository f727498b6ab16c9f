import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { findSentPayout } from './find-sent.ts';
import { openPayoutAccount } from './payout-account.ts';
import type { PayoutState } from './payout-state.ts';
import { type SettleDeps, settlePayout } from './settle-payout.ts';
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
  providerId?: string | undefined;
  detail?: string | undefined;
  /** Whom it went to, where the provider says so. */
  payee?: { accountNumber: string; bankCode: string } | undefined;
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
    };

/** The states of ours that what a provider says agrees with: what it says first may be told last. */
const agreeing = {
  SUCCESSFUL: ['SUCCESSFUL', 'REVERSED'],
  FAILED: ['FAILED', 'REVERSED'],
  REVERSED: ['REVERSED', 'FAILED'],
} as const satisfies Record<Hearsay['outcome'], readonly PayoutState[]>;

/**
 * Books what a provider says of its own accord, however often and in whatever order it says it. Amount, currency and provider
 * must be ours, and the account that it went to, where it names one: it is never trusted for them. What does not agree changes
 * nothing.
 */
export async function hearOfPayout(
  deps: SettleDeps & { db: Database; keyring: Keyring },
  said: Hearsay,
): Promise<Heard> {
  const row = await selectByProviderReference(deps.db, { providerReference: said.reference });
  if (row === undefined) return { state: 'DIFFERENT', difference: 'PAYOUT_UNKNOWN' };
  const { transactionId } = row;
  const difference = differenceOf(row, said) ?? differenceOfPayee(deps.keyring, row, said);
  if (difference !== undefined) return { state: 'DIFFERENT', difference, transactionId };
  const { outcome: state, providerId, detail = '' } = said;
  const news = state === 'FAILED' ? ({ state, providerId, detail } as const) : ({ state, providerId } as const);
  const settled = await settlePayout(deps, { providerReference: said.reference, news });
  if (settled === undefined) throw new Error(`payout ${row.id} is gone`);
  const agrees = agreeing[state].some((one) => one === settled.state);
  // What was corrected has been paid, as far as we know: it agrees with a success, and with no failure.
  if ((await isCorrected(deps.db, settled)) ? state === 'SUCCESSFUL' : agrees)
    return { state: 'BOOKED', transactionId };
  return { state: 'DIFFERENT', difference: 'PAYOUT_ENDED_OTHERWISE', transactionId };
}

const isCorrected = async (db: Database, { correctionId, providerReference }: PayoutRow): Promise<boolean> =>
  correctionId !== null && (await findSentPayout(db, providerReference))?.isCorrected === true;

function differenceOf(row: PayoutRow, said: Hearsay) {
  if (row.provider !== said.provider) return 'PROVIDER_DIFFERS' as const;
  if (said.currency !== 'NGN') return 'CURRENCY_DIFFERS' as const;
  return row.amount === said.amount ? undefined : ('AMOUNT_DIFFERS' as const);
}

/** What operators have corrected was paid, to whomever it was. */
function differenceOfPayee(keyring: Keyring, row: PayoutRow, { payee }: Hearsay) {
  if (payee === undefined || row.correctionId !== null) return undefined;
  const { accountNumber, bankCode } = openPayoutAccount(keyring, row);
  return payee.accountNumber === accountNumber && payee.bankCode === bankCode ? undefined : ('PAYEE_DIFFERS' as const);
}
