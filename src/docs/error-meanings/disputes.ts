import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** What happens to disputes. */
export const disputeMeanings = {
  DISPUTE_EXPIRED: {
    where: ['Partner'],
    happened: 'The deadline of the dispute has passed, and evidence is taken no more.',
    whatToDo: 'Wait for the decision. What must still be said, tell the operator, who can add it.',
    repeat: 'no',
  },
  DISPUTE_NOT_FOUND: {
    where: ['Partner', 'Operator'],
    happened: 'There is no dispute of this id, or it is about another partner’s wallet.',
    whatToDo: 'Check the id; the list of disputes has it.',
    repeat: 'no',
  },
  DISPUTE_OPEN: {
    where: ['Operator'],
    happened: 'The transaction has a dispute that is not decided.',
    whatToDo: 'Add to that one, or decide it first.',
    repeat: 'no',
  },
  DISPUTE_STATE_CONFLICT: {
    where: ['Partner', 'Operator'],
    happened: 'The dispute was decided: it is won or lost.',
    whatToDo:
      'Look at the dispute. Nothing can be added to it, and it is not decided otherwise; another one can be opened.',
    repeat: 'no',
  },
  TRANSACTION_NOT_DISPUTABLE: {
    where: ['Operator'],
    happened: 'Nothing of this transaction is in a wallet: it was refused, waits, was given back, or went elsewhere.',
    whatToDo: 'Look at the transaction. What went to a float or to an application is settled with its owner.',
    repeat: 'no',
  },
  LIEN_OF_DISPUTE: {
    where: ['Operator'],
    happened: 'The lien belongs to a dispute, which lifts it when it is decided.',
    whatToDo: 'Decide the dispute.',
    repeat: 'no',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;
