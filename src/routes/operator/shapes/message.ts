import { z } from 'zod';
import { differences, type MessageView, messageStates } from '#modules/collections';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';

export const messageState = z.enum(messageStates);
export const messageKind = z.enum(['TRANSFER', 'CHARGE', 'ACCOUNT', 'OTHER']);

/** A provider's message as the operator sees it. */
export const messageShape = z.object({
  id: z.uuid(),
  provider: z.string(),
  origin: z.enum(['HOOK', 'COMPARISON']).meta({
    description: 'COMPARISON: the provider’s list of a day has it, and we lacked it',
  }),
  event: z
    .string()
    .optional()
    .meta({ description: 'The provider’s name of what happened', example: 'transfer.success' }),
  kind: messageKind.optional().meta({ description: 'TRANSFER: of a payout. CHARGE: money that came in' }),
  reference: z.string().optional().meta({ description: 'Of the transfer or the payment that it tells of' }),
  amount: amountOut.optional().meta({ description: 'As the provider says it' }),
  currency: z.string().optional(),
  outcome: z.enum(['SUCCESSFUL', 'FAILED', 'REVERSED']).optional(),
  accountNumber: personal(z.string(), 'number').optional().meta({ description: 'The one it was paid to' }),
  senderName: personal(z.string(), 'name').optional(),
  senderBank: z.string().optional(),
  senderAccount: personal(z.string(), 'number').optional(),
  narration: personal(z.string(), 'text').optional(),
  state: messageState.meta({ description: 'DIFFERENT: it does not agree with our books, and has changed nothing' }),
  difference: z.enum(differences).optional(),
  transactionId: z.int().optional().meta({ description: 'What it was booked as' }),
  attempts: z.int(),
  nextAttemptAt: momentOut.optional(),
  lastError: z.string().optional().meta({ description: 'The error code of the last attempt' }),
  receivedAt: momentOut,
  endedAt: momentOut.optional(),
});

export const toMessage = (view: MessageView): z.input<typeof messageShape> => {
  const { charge } = view;
  return {
    id: view.id,
    provider: view.provider,
    origin: view.origin,
    event: view.event ?? undefined,
    kind: view.kind ?? undefined,
    reference: view.reference ?? undefined,
    amount: view.amount === null ? undefined : toMajor(view.amount),
    currency: view.currency ?? undefined,
    outcome: view.outcome ?? undefined,
    accountNumber: charge?.accountNumber,
    senderName: charge?.sender.name,
    senderBank: charge?.sender.bank,
    senderAccount: charge?.sender.accountNumber,
    narration: charge?.narration,
    state: view.state,
    difference: view.difference ?? undefined,
    transactionId: view.transactionId ?? undefined,
    attempts: view.attempts,
    nextAttemptAt: view.dueAt?.toISOString(),
    lastError: view.lastError ?? undefined,
    receivedAt: view.receivedAt.toISOString(),
    endedAt: view.endedAt?.toISOString(),
  };
};
