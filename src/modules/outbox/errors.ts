import { DomainError } from '#lib/domain-error.ts';

export const receiverNotFound = () =>
  new DomainError('RECEIVER_NOT_FOUND', 'no webhook receiver is registered for this id');
