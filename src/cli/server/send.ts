import { createSend } from '../../client/send.js';
import { CommandFailure } from '../command-failure.ts';

/** Codes of OpenSSL and Node.js for a certificate that does not prove whose it is. */
const NOT_TRUSTED = /CERT|UNABLE_TO_/;

export interface Ask {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
}
export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: string;
}
/** @param repeatable whether it may be sent again where no answer came, or one that says that nothing was done */
export type Send = (ask: Ask, repeatable: boolean) => Promise<Answer>;

/**
 * Sends as our client does, by its rules of what is sent again. Follows no redirect: the token is for one server.
 *
 * @throws CommandFailure when no answer came
 */
export const sendByClient: Send = async (ask, repeatable) => {
  const { method, url, headers, timeoutMs } = ask;
  const request = new Request(url, { method, headers, body: ask.body ?? null, redirect: 'manual' });
  const answer = await createSend({ timeoutMs })(request, repeatable).catch(({ cause }) => {
    throw unreachable(ask, cause);
  });
  // As it came: `text()` would leave out the mark that a CSV file begins with.
  const body = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
};

/** @param error what `fetch` threw: what happened is its cause, but for a timeout */
function unreachable({ method, url, timeoutMs }: Ask, error: unknown): CommandFailure {
  const { name, code, message } = Object(Object(error).cause ?? error) as Partial<NodeJS.ErrnoException>;
  const why = name === 'TimeoutError' ? `nothing within ${timeoutMs / 1000} s` : (code ?? message ?? 'no answer');
  if (NOT_TRUSTED.test(code ?? '')) {
    const text = `the certificate of ${new URL(url).origin} is not trusted (${code}): name its authority with NODE_EXTRA_CA_CERTS`;
    return new CommandFailure('unreachable', text, { cause: error });
  }
  const next =
    method === 'GET'
      ? 'is it running, and is this its URL?'
      : 'it may have been done all the same: look, or repeat it with the same --reference or --idempotency-key.';
  return new CommandFailure('unreachable', `${new URL(url).origin} gives no answer (${why}): ${next}`, {
    cause: error,
  });
}
