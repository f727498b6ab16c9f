import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from '#http/accept.ts';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { sendPage } from '#http/page.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import { messagePage } from '../approval/end-page.ts';
import type { PlainWords } from '../approval/plain-words.ts';

const unknown: PlainWords = {
  title: 'We do not know this link',
  text: 'It may have been cut short on its way to you, or the wallet is no longer open. Open it again from the message it came in, or ask for the statement again.',
};

const words: Partial<Record<ErrorCode, PlainWords>> = {
  STATEMENT_NOT_FOUND: unknown,
  WALLET_NOT_FOUND: unknown,
  STATEMENT_LINK_EXPIRED: {
    title: 'This link has expired',
    text: 'A link to a statement works for a short time, to keep it yours. Ask for the statement again where you asked for it.',
  },
  BUSY: {
    title: 'One moment, please',
    text: 'Many statements are being written just now. Open the link again in a few seconds.',
  },
};

const onOurSide: PlainWords = {
  title: 'Something went wrong on our side',
  text: 'The statement could not be written. Please open the link again in a moment.',
};

/** An error handler: a browser is told in a page why it gets no statement, a program in the one failure shape. */
export function refuseStatement(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!prefersHtml(request.headers.accept)) {
    sendFailure(thrown, request, reply);
    return;
  }
  const { error, status } = refusalOf(thrown, request, reply);
  sendPage(reply, status, messagePage(words[error.code] ?? onOurSide));
}
