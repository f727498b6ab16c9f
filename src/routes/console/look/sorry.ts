import type { FastifyReply } from 'fastify';
import { html } from '#lib/html.ts';
import { nameOfAction } from '../catalogue/offers.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import { CONSOLE } from '../session.ts';
import { sendConsolePage } from './layout.ts';
import { head } from './parts.ts';

/** Answers an address of the console that leads nowhere. */
export const sendNothingHere = (reply: FastifyReply): FastifyReply =>
  sendConsolePage(reply, 404, {
    title: 'There is nothing here',
    body: html`${head('There is nothing here')}<p>No page of the console has this address.</p><p class="pages"><a href="${CONSOLE}">Overview</a></p>`,
  });

/** Answers the form of an action that the role of whoever asks does not reach for. */
export const sendRoleRefused = (reply: FastifyReply, operation: OperatorOperation): FastifyReply => {
  const name = nameOfAction(operation);
  return sendConsolePage(reply, 403, {
    title: name,
    body: html`${head(name)}<div class="panel alert" role="alert"><h2>Your role may not do this</h2><p>It needs the role ${operation.role}, and you are ${reply.request.visitor?.operator.role ?? 'nobody'}. Ask a colleague who has it.</p></div>`,
  });
};
