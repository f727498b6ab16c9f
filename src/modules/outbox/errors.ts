import { DomainError } from '#lib/domain-error.ts';

/** The error of an owner that has no receiver. */
export const receiverNotFound = () =>
  new DomainError('RECEIVER_NOT_FOUND', 'no webhook receiver is registered for this id');
