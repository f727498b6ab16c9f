import type { ErrorCode } from '#lib/domain-error.ts';
import { DomainError } from '#lib/domain-error.ts';

/** What a posting or a hold can be refused for: by the functions of the ledger, or before it by those who post. */
const refusals = {
  REFERENCE_REUSED: 'this reference stands for another request: give a new one',
  INSUFFICIENT_FUNDS: 'there is not enough available money',
  BALANCE_EXCEEDED: 'the balance would be more than 9999999999999.99',
  LIMIT_EXCEEDED: 'this would exceed the daily limit of the wallet',
  WALLET_BLOCKED: 'the wallet is blocked',
  WALLET_REVOKED: 'the wallet was revoked: it takes no refund',
  WALLET_PND: 'the wallet does not pay out (PND)',
  WALLET_PNC: 'the wallet takes nothing in (PNC)',
  CURRENCY_MISMATCH: 'the accounts are of another currency',
  REFUND_EXCEEDS: 'this would give back more than the original transaction',
  TRANSACTION_NOT_REFUNDABLE: 'this transaction cannot be refunded: it did not succeed, or its type takes no refund',
  TRANSACTION_NOT_REVERSIBLE: 'only what moved money, and was neither refunded nor reversed, can be reversed',
  AMOUNT_TOO_SMALL: 'this amount is too small: its charges leave nothing of it, or the rail carries only more',
  PAYTAG_SUSPENDED: 'this PayTag is suspended: it is paid nothing',
  TAG_NOT_PAYABLE: 'a tag that is suspended neither pays nor is paid',
  SPLIT_OVERPAYMENT: 'this is more than what remains of the split',
  SPLIT_NOT_PAYABLE: 'the split is not pending: it is paid, cancelled or expired',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * What `ledger.post` answers for an account or a hold that does not exist, and for a hold that cannot be captured. Whoever
 * posts knows their state, under a lock of their own: one of these is a defect of ours, not an answer to a caller.
 */
const defects = ['ACCOUNT_NOT_FOUND', 'HOLD_NOT_FOUND', 'HOLD_NOT_OPEN', 'HOLD_EXPIRED', 'HOLD_EXCEEDED'] as const;

type Defect = (typeof defects)[number];

/** Why a posting or a hold was refused. */
export type Refusal = keyof typeof refusals | Defect;

const known: ReadonlySet<string> = new Set([...Object.keys(refusals), ...defects]);

/** A refusal that SQL answered or that was stored. @throws Error for a code that is not among ours: a defect */
export function toRefusal(code: string): Refusal {
  if (known.has(code)) return code as Refusal;
  throw new Error(`the ledger refused with ${code}`);
}

const isDefect = (code: Refusal): code is Defect => defects.some((defect) => defect === code);

/** The error to throw for a refusal: a DomainError, except for a defect of ours. */
export function refusalError(code: Refusal): Error {
  if (isDefect(code)) return new Error(`the ledger refused with ${code}`);
  return new DomainError(code, refusals[code]);
}
