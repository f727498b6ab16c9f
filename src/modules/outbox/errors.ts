import { DomainError } from '#lib/domain-error.ts';

/** The error of an owner that has no receiver. */
export const receiverNotFound = () =>
  new DomainError('RECEIVER_NOT_FOUND', 'no webhook receiver is registered for this id');

/** The error of an owner that has no such endpoint, or has deleted it. */
export const endpointNotFound = () => new DomainError('ENDPOINT_NOT_FOUND', 'there is no such webhook endpoint');
