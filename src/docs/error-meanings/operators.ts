import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** Operators, and what one of them asks another to approve. */
export const operatorMeanings = {
  ROLE_REFUSED: {
    where: ['Operator'],
    happened: 'Your role may not do this; `message` says which may.',
    whatToDo: 'Ask somebody of that role, or an admin to change yours.',
    repeat: 'once changed',
  },
  OPERATOR_NOT_FOUND: {
    where: ['Operator'],
    happened: 'No operator has this id. `root` is not stored: it is whoever holds OPERATOR_TOKEN.',
    whatToDo: 'List the operators and use an id from there.',
    repeat: 'no',
  },
  OPERATOR_NAME_TAKEN: {
    where: ['Operator'],
    happened: 'There is an operator of this name, perhaps a disabled one: the audit log shows it.',
    whatToDo: 'Choose another name, or enable that operator.',
    repeat: 'once changed',
  },
  OPERATOR_STATUS_CONFLICT: {
    where: ['Operator'],
    happened: 'The operator is not in a state for this, has that role already, or is yourself.',
    whatToDo: 'Look at the operator; for yourself ask another admin.',
    repeat: 'no',
  },
  THROTTLE_NOT_FOUND: {
    where: ['Operator'],
    happened: 'Nothing is refused by such a limit, or not any more.',
    whatToDo: 'List what is refused now.',
    repeat: 'no',
  },
  SESSION_STATUS_CONFLICT: {
    where: ['Operator'],
    happened: 'The session has ended.',
    whatToDo: 'Nothing: its token opens nothing any more.',
    repeat: 'no',
  },
  APPROVAL_NOT_FOUND: {
    where: ['Operator'],
    happened: 'No request for an approval has this id.',
    whatToDo: 'List the requests and use an id from there.',
    repeat: 'no',
  },
  APPROVAL_NOT_PENDING: {
    where: ['Operator'],
    happened: 'Somebody has approved or rejected the request, or whoever asked may not do it any more.',
    whatToDo: 'Look at the request: it says what became of it.',
    repeat: 'no',
  },
  APPROVAL_OUTGROWN: {
    where: ['Operator'],
    happened:
      'By now more would be let go than was approved: by more than APPROVAL_ABOVE, which one operator may let go alone. Nothing was done.',
    whatToDo: 'Look at what has come in, and ask for it anew.',
    repeat: 'no',
  },
  APPROVAL_OWN: {
    where: ['Operator'],
    happened:
      'You asked for this yourself, or one of you and whoever asked was given their token by the other, or both by one person, who may hold both; or lately a higher role.',
    whatToDo: 'Ask another operator of the role, or another admin for a new token of yours.',
    repeat: 'no',
  },
  APPROVAL_EXPIRED: {
    where: ['Operator'],
    happened: 'Nobody approved the request within a day.',
    whatToDo: 'Ask for it anew.',
    repeat: 'no',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;
