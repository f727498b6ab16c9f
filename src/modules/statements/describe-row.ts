import type { PayoutAccount } from '#modules/payouts';
import type { StatementRow } from '#modules/wallets';

/**
 * What happened, in words.
 *
 * @param names.sender who sent the money, as the rails reported it, or the application and tag of whom it came from
 * @param names.payee the bank account that a payout went to or came back from
 */
export function describeRow(
  row: StatementRow,
  { partnerName, sender, payee }: { partnerName: string; sender: string | undefined; payee: PayoutAccount | undefined },
): string {
  const isCredit = row.closingBalance > row.openingBalance;
  const { counterparty } = row;
  const customer = counterparty && `${counterparty.name} (@${counterparty.tag})`;
  const other = customer ?? sender;
  const words = (what: string, whom = other) =>
    whom === undefined ? what : `${what} ${isCredit ? 'from' : 'to'} ${whom}`;
  const account = payee && `${payee.bankName} ${payee.accountNumber}, ${payee.accountName}`;
  switch (row.type) {
    case 'PARTNER_WALLET_CREDIT':
      return words('Credit', partnerName);
    case 'PARTNER_WALLET_DEBIT':
      return `Debit by ${partnerName}`;
    case 'PARTNER_REFUND':
      return isCredit ? words('Refund', partnerName) : `Reversal by ${partnerName}`;
    case 'PAYOUT':
      return words('Payout', account);
    case 'PAYOUT_CORRECTION':
      return words('Payout, booked later,', account);
    case 'REVERSAL':
      if (account !== undefined) return words('Payout returned', account);
      return other === undefined ? `Reversal of ${row.externalReference ?? 'a transaction'}` : words('Reversal');
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
