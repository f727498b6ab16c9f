import type { FastifyReply } from 'fastify';
import { DomainError } from '#lib/domain-error.ts';
import { html } from '#lib/html.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import { sendConsolePage } from './layout.ts';
import { head } from './parts.ts';

/** Answers an address of the console that leads nowhere. */
export const sendNothingHere = (reply: FastifyReply): FastifyReply =>
  sendConsolePage(reply, 404, {
    title: 'There is nothing here',
    body: html`${head('There is nothing here')}<p>No page of the console has this address.</p><p class="pages"><a href="${CONSOLE}">Overview</a></p>`,
  });

/**
 * Refuses what the role of whoever asks does not reach for, as the API would.
 *
 * @throws DomainError ROLE_REFUSED
 */
export function assertMay({ operator, may }: ConsoleVisitor, operation: OperatorOperation): void {
  if (may(operation)) return;
  const what = `this needs the role ${operation.role}, and you are ${operator.role}: ask a colleague who has it`;
  throw new DomainError('ROLE_REFUSED', what);
}
