import { DomainError } from '#lib/domain-error.ts';

/**
 * Refuses a command that would move more than may be moved without a second operator: a command has none.
 *
 * @param operation of the operator API, by which it can be asked for
 * @throws DomainError ROLE_REFUSED
 */
export function refuseAbove(
  { approvalAbove }: { approvalAbove: bigint | undefined },
  amount: bigint,
  operation: string,
): void {
  if (approvalAbove === undefined || amount <= approvalAbove) return;
  throw new DomainError('ROLE_REFUSED', `more than APPROVAL_ABOVE needs two operators: ask for it with ${operation}`);
}
