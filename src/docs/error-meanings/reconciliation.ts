import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** Files of banks, and what is done with what differs. */
export const reconciliationMeanings = {
  BANK_FILE_UNREADABLE: {
    where: ['Operator'],
    happened: 'The bank’s file cannot be read: the message names the line and the field.',
    whatToDo: 'Correct the mapping, or ask the bank for the file again. Nothing of it was kept.',
    repeat: 'no',
  },
  BANK_FILE_DOES_NOT_TIE: {
    where: ['Operator'],
    happened:
      'The balances, the totals or what was confirmed, and the lines of the bank’s file contradict each other: the message names where.',
    whatToDo: 'Ask the bank for the whole file. Nothing of it was kept.',
    repeat: 'no',
  },
  BANK_FILE_UNPROVED: {
    where: ['Operator'],
    happened:
      'Nothing in the bank’s file proves that its lines are all there and right. The message says what is odd in it, and not what its lines come to.',
    whatToDo:
      'Look up their count and totals at the bank, and send the file again with `confirm`; or ask for a file with opening and closing balance. Nothing of it was kept.',
    repeat: 'no',
  },
  IMPORT_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no such import.',
    whatToDo: 'See GET /operator/v1/reconciliation/imports.',
    repeat: 'no',
  },
  RECONCILIATION_ITEM_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no such item, or a line has taken up the posting that it was about.',
    whatToDo: 'See GET /operator/v1/reconciliation/items.',
    repeat: 'no',
  },
  RECONCILIATION_ITEM_STATE_CONFLICT: {
    where: ['Operator'],
    happened: 'The item is closed, or what is asked does not suit what it is.',
    whatToDo: 'See GET /operator/v1/reconciliation/items.',
    repeat: 'no',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;
