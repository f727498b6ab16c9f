import { DomainError } from '#lib/domain-error.ts';

export const deliveryNotFound = () => new DomainError('DELIVERY_NOT_FOUND', 'no webhook delivery has this id');
export const deliveryPurged = () =>
  new DomainError('DELIVERY_PURGED', 'this event ended so long ago that its body is not kept any more');
