import { DomainError } from '../../lib/domain-error.ts';

/** What a posting can be refused for, in the codes of `ledger.post`. */
const refusals: Record<string, string> = {
  REFERENCE_REUSED: 'this reference stands for another request: give a new one',
  INSUFFICIENT_FUNDS: 'there is not enough available money',
  WALLET_BLOCKED: 'the wallet is blocked',
  WALLET_PND: 'the wallet does not pay out (PND)',
  WALLET_PNC: 'the wallet takes nothing in (PNC)',
  CURRENCY_MISMATCH: 'the accounts are of another currency',
};

/** The refusal that a code of `ledger.post` stands for; a code nobody foresaw is a defect of ours. */
export function refuse(code: string): Error {
  const message = refusals[code];
  return message === undefined ? new Error(`ledger.post refused with ${code}`) : new DomainError(code, message);
}
