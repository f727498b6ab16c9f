import type { StatementRow } from '#modules/wallets';

/**
 * What happened, in words.
 *
 * @param names.sender who sent the money, as the rails reported it
 */
export function describeRow(
  row: StatementRow,
  { partnerName, sender }: { partnerName: string; sender: string | undefined },
): string {
  const isCredit = row.closingBalance > row.openingBalance;
  const { counterparty } = row;
  const customer = counterparty && `${counterparty.name} (@${counterparty.tag})`;
  const other = customer ?? sender;
  const words = (what: string, whom = other) =>
    whom === undefined ? what : `${what} ${isCredit ? 'from' : 'to'} ${whom}`;
  switch (row.type) {
    case 'PARTNER_WALLET_CREDIT':
      return words('Credit', partnerName);
    case 'PARTNER_WALLET_DEBIT':
      return `Debit by ${partnerName}`;
    case 'PARTNER_REFUND':
      return isCredit ? words('Refund', partnerName) : `Reversal by ${partnerName}`;
    case 'REVERSAL':
      return 'Reversal';
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
