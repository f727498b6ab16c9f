import type { StatementRow } from '#modules/wallets';

/** Who a row's money came from or went to: a PayTag, or a name that the rails reported. */
export interface Parties {
  partnerName: string;
  sender: string | undefined;
}

/** What a row says happened, in words. */
export function describeRow(row: StatementRow, { partnerName, sender }: Parties): string {
  const isCredit = row.closingBalance > row.openingBalance;
  const paytag = row.counterparty === undefined ? undefined : `@${row.counterparty}`;
  const other = paytag ?? sender;
  const words = (what: string, whom = other) =>
    whom === undefined ? what : `${what} ${isCredit ? 'from' : 'to'} ${whom}`;
  switch (row.type) {
    case 'PARTNER_WALLET_CREDIT':
      return words('Credit', partnerName);
    case 'PARTNER_WALLET_DEBIT':
      return `Debit by ${partnerName}`;
    case 'PARTNER_REFUND':
      return isCredit ? words('Refund', partnerName) : `Reversal by ${partnerName}`;
    case 'PARTNER_GATEWAY':
      return words('Payment');
    case 'PARTNER_TERMINAL':
      return words('Terminal payment');
    case 'INBOUND':
      return words('Bank transfer');
    default:
      return words('Transfer');
  }
}
