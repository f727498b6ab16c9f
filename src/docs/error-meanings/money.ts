import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** What happens to money: wallets, movements, terminals and splits. */
export const moneyMeanings = {
  SELF_TRANSFER: {
    where: ['SSO', 'Switch'],
    happened: 'Sender and receiver are the same.',
    whatToDo: 'Name another receiver.',
    repeat: 'no',
  },
  REFERENCE_REUSED: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'This reference stands for another request.',
    whatToDo: 'Use a new reference for another request.',
    repeat: 'no',
  },
  INSUFFICIENT_FUNDS: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'There is not enough available money in the wallet or the float.',
    whatToDo: 'Fund it.',
    repeat: 'new reference',
  },
  BALANCE_EXCEEDED: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'The balance would be more than 9,999,999,999,999.99.',
    whatToDo: 'Move less.',
    repeat: 'new reference',
  },
  LIMIT_EXCEEDED: {
    where: ['SSO'],
    happened: 'The customer would spend more than their daily limit.',
    whatToDo: 'See GET /v2/sso/wallet/limit; it starts anew at midnight in Lagos.',
    repeat: 'new reference',
  },
  AMOUNT_TOO_SMALL: {
    where: ['Partner', 'SSO', 'Switch'],
    happened: 'The charges would leave nothing of this amount, or it is less than the rail of a payout carries.',
    whatToDo: 'Move more.',
    repeat: 'new reference',
  },
  PROVIDER_NOT_CONFIGURED: {
    where: ['Partner', 'SSO', 'Operator'],
    happened: 'This installation has no provider for what was asked, e.g. of payouts.',
    whatToDo: 'Ask the operator of the installation.',
    repeat: 'once changed',
  },
  INBOUND_PROVIDER_UNAVAILABLE: {
    where: ['Partner'],
    happened: 'The provider of account numbers did not answer.',
    whatToDo:
      'Send the same request again: a wallet gets one account number of a provider, however often it is asked for.',
    repeat: 'yes',
  },
  RAIL_PROVIDER_UNAVAILABLE: {
    where: ['Operator'],
    happened: 'The provider whose list was to be compared with ours gave no usable answer.',
    whatToDo: 'Send the same request again: what was booked already is not booked twice.',
    repeat: 'yes',
  },
  RAIL_NOT_FOUND: {
    where: ['Operator'],
    happened: 'No such provider is configured here.',
    whatToDo: 'Check its name: PAYOUT_PROVIDER and INBOUND_PROVIDER have it.',
    repeat: 'once changed',
  },
  COMPARISON_NOT_FOUND: {
    where: ['Operator'],
    happened: 'This day was not compared with that provider.',
    whatToDo: 'Have it compared: POST /operator/v1/rails/{provider}/compare.',
    repeat: 'once changed',
  },
  MESSAGE_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no message of a provider of this id.',
    whatToDo: 'Check the id; the list of the inbox has it.',
    repeat: 'no',
  },
  MESSAGE_BOOKED: {
    where: ['Operator'],
    happened: 'The message is in the books already, or is none with which this can be done.',
    whatToDo: 'Look at the message: transactionId is what it was booked as.',
    repeat: 'no',
  },
  PAYOUT_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no payout of this id.',
    whatToDo: 'Check the id; the list of payouts has it.',
    repeat: 'no',
  },
  PAYOUT_STATE_CONFLICT: {
    where: ['Operator'],
    happened:
      'The payout is in a state in which this cannot be done: only one of unknown end is marked, and one that has failed corrected.',
    whatToDo: 'Look at the payout. If its end is known, nothing is to be done.',
    repeat: 'no',
  },
  CURRENCY_MISMATCH: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'The two accounts are of different currencies.',
    whatToDo: 'Move between accounts of one currency.',
    repeat: 'new reference',
  },
  WALLET_BLOCKED: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'The wallet is blocked: nothing goes in or out.',
    whatToDo:
      'Ask the operator. Of a wallet that was just revoked, each process of the server may say so until it has looked again; after that a new reference is `WALLET_NOT_FOUND`. A reference that was refused so stays refused so.',
    repeat: 'new reference',
  },
  WALLET_PND: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'The wallet does not pay out (PND).',
    whatToDo: 'Ask the operator.',
    repeat: 'new reference',
  },
  WALLET_PNC: {
    where: ['Partner', 'SSO', 'Switch', 'Operator'],
    happened: 'The wallet takes nothing in (PNC).',
    whatToDo: 'Ask the operator.',
    repeat: 'new reference',
  },
  PAYTAG_SUSPENDED: {
    where: ['SSO'],
    happened: 'The payee’s PayTag is suspended.',
    whatToDo: 'Pay somebody else, or wait until it is restored.',
    repeat: 'new reference',
  },
  TAG_NOT_PAYABLE: {
    where: ['Switch'],
    happened: 'One of the two tags is suspended: it neither pays nor is paid.',
    whatToDo: 'Wait until it is restored.',
    repeat: 'new reference',
  },
  REFUND_EXCEEDS: {
    where: ['Partner', 'Operator'],
    happened: 'This would return more than is left of the original.',
    whatToDo: 'Refund less, or leave out `amount` for all that is left.',
    repeat: 'new reference',
  },
  TRANSACTION_NOT_REFUNDABLE: {
    where: ['Partner', 'Operator'],
    happened: 'The transaction did not succeed, or is of a type that is not refunded.',
    whatToDo: 'Look at its `Status` and `Type`.',
    repeat: 'new reference',
  },
  TRANSACTION_NOT_REVERSIBLE: {
    where: ['Operator'],
    happened: 'The transaction moved no money, was refunded or reversed before, or took back what waited in suspense.',
    whatToDo: 'Look at its `Status`: a reversal is whole, and there is one.',
    repeat: 'new reference',
  },
  TRANSACTION_NOT_FOUND: {
    where: ['Partner', 'Switch', 'Operator'],
    happened: 'There is no such transaction, or it is somebody else’s.',
    whatToDo: 'Check the reference or id.',
    repeat: 'once changed',
  },
  TRANSACTION_NOT_PENDING: {
    where: ['Switch', 'Operator'],
    happened: 'The transaction was decided already.',
    whatToDo: 'Read it to see how.',
    repeat: 'no',
  },
  TRANSACTION_EXPIRED: {
    where: ['Switch'],
    happened: 'The time to decide the transaction has passed; the sender has the money back.',
    whatToDo: 'The sender makes a new offer.',
    repeat: 'no',
  },
  WALLET_NOT_FOUND: {
    where: ['Partner', 'SSO', 'Operator', 'Pages'],
    happened: 'There is no such wallet, or it is another partner’s, or revoked.',
    whatToDo: 'Check the reference.',
    repeat: 'once changed',
  },
  WALLET_NOT_EMPTY: {
    where: ['Operator'],
    happened: 'The wallet holds money, a lien or a pending refund.',
    whatToDo: 'Empty it first.',
    repeat: 'once changed',
  },
  WALLET_REVOKED: {
    where: ['Partner', 'Operator'],
    happened: 'The wallet is revoked, for good.',
    whatToDo: 'Use the customer’s other wallet.',
    repeat: 'no',
  },
  PROFILE_NOT_FOUND: {
    where: ['Partner'],
    happened: 'This partner has no such KYC profile.',
    whatToDo: 'Send `kyc` to make one.',
    repeat: 'once changed',
  },
  PROFILE_MISMATCH: {
    where: ['Partner'],
    happened: 'Your KYC profile of this number has other names. No wallet was opened.',
    whatToDo: 'Check the number, or give this person another one.',
    repeat: 'once changed',
  },
  LIEN_NOT_FOUND: {
    where: ['Operator'],
    happened: 'The wallet has no such lien.',
    whatToDo: 'Read the wallet to see its liens.',
    repeat: 'once changed',
  },
  LIEN_LIFTED: {
    where: ['Operator'],
    happened: 'The lien has been lifted already.',
    whatToDo: 'Nothing: it is done.',
    repeat: 'no',
  },
  TERMINAL_NOT_FOUND: {
    where: ['Partner', 'Operator'],
    happened: 'There is no such terminal, or it is another partner’s.',
    whatToDo: 'Check the serial number in x-terminal.',
    repeat: 'once changed',
  },
  TERMINAL_EXISTS: {
    where: ['Operator'],
    happened: 'A terminal has this serial number already.',
    whatToDo: 'Check the serial number.',
    repeat: 'no',
  },
  SPLIT_NOT_FOUND: {
    where: ['Partner', 'Operator'],
    happened: 'The terminal has no split of this reference.',
    whatToDo: 'Check the reference and x-terminal.',
    repeat: 'once changed',
  },
  SPLIT_NOT_CANCELLABLE: {
    where: ['Partner'],
    happened: 'The split is not pending any more, or something was paid.',
    whatToDo: 'Refund what was paid.',
    repeat: 'no',
  },
  SPLIT_OVERPAYMENT: {
    where: ['Operator'],
    happened: 'This was more than remained of the split. Money that arrives for it now waits instead.',
    whatToDo: 'Nothing: as `PendingReason` it says why a payment waits in suspense.',
    repeat: 'no',
  },
  SPLIT_NOT_PAYABLE: {
    where: ['Operator'],
    happened: 'The split was paid, cancelled or expired. Money that arrives for it now waits instead.',
    whatToDo: 'Nothing: as `PendingReason` it says why a payment waits in suspense.',
    repeat: 'no',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;
