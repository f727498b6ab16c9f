import type { PayoutOrder } from './port.ts';

/** Whom a provider says that a payment goes to, as far as it says so. */
export interface SaidPayee {
  readonly accountNumber?: string | undefined;
  readonly bankCode?: string | undefined;
}

type Ordered = Pick<PayoutOrder, 'accountNumber' | 'bankCode'>;

/** Whether that is who was ordered. UNSAID: nothing of it differs, and it does not name bank and account. */
export function comparePayee(said: SaidPayee, { accountNumber, bankCode }: Ordered): 'SAME' | 'DIFFERENT' | 'UNSAID' {
  if ((said.accountNumber ?? accountNumber) !== accountNumber || (said.bankCode ?? bankCode) !== bankCode)
    return 'DIFFERENT';
  return said.accountNumber === undefined || said.bankCode === undefined ? 'UNSAID' : 'SAME';
}
