import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PayTagSignatureError, verifyWebhook } from 'paytag/client';
import { seen } from '../server/table.ts';

const FORWARDED_MAX_MS = 30_000;
/** What belongs to one connection, or is made anew for the next. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
]);

/** By what webhooks are verified. Without a secret `webhook-signature` cannot be. */
export interface VerifiedBy {
  clientId: string;
  secret: string | undefined;
}

interface Received {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/**
 * Receives webhooks on this machine, prints a line for each, passes it on as it came and answers what that answered; where
 * it is passed on nowhere, 200, or 400 where a signature does not match.
 *
 * @param print takes each line
 * @returns where it listens
 */
export async function receiveWebhooks(
  verifiedBy: VerifiedBy,
  {
    port,
    forwardTo,
    path,
    print,
  }: { port: number; forwardTo: string | undefined; path: string; print: (line: string) => void },
): Promise<{ url: string; close(): Promise<void> }> {
  const answer = async (received: Received, response: ServerResponse) => {
    const problem = problemOf(verifiedBy, received);
    const { status, note } =
      forwardTo === undefined ? { status: problem === undefined ? 200 : 400 } : await forward(forwardTo, received);
    print(lineOf(received.body, { problem, status, note }));
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => answer({ body, headers: request.headers }, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const at = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${at.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** Why this is not what was sent; undefined when it is. */
function problemOf({ clientId, secret }: VerifiedBy, { body, headers }: Received): string | undefined {
  try {
    verifyWebhook({ body, headers, clientId });
    if (secret !== undefined) verifyWebhook({ body, headers, secret });
    return undefined;
  } catch (error) {
    if (error instanceof PayTagSignatureError) return error.message;
    return 'the body is not JSON';
  }
}

/** The bytes and the headers as they came. */
async function forward(to: string, { body, headers }: Received): Promise<{ status: number; note?: string }> {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    OF_THE_CONNECTION.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  try {
    const signal = AbortSignal.timeout(FORWARDED_MAX_MS);
    const answer = await fetch(to, {
      method: 'POST',
      headers: passed,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: 502, note: cause instanceof Error ? cause.message : message };
  }
}

/** One line: whether it is verified, event, reference, amount, what was answered, and what is wrong. */
function lineOf(
  body: Buffer,
  { problem, status, note }: { problem: string | undefined; status: number; note?: string | undefined },
): string {
  const { event, reference, data } = parsed(body);
  const amount = data?.Amount ?? data?.amount;
  const parts = [problem === undefined ? '✓' : '✗', event, reference, amount, `→ ${status}`, problem, note];
  return seen(parts.filter((part) => part !== undefined).join('  '));
}

interface Shown {
  event?: string;
  reference?: string;
  data?: { Amount?: number; amount?: number };
}

function parsed(body: Buffer): Shown {
  try {
    return JSON.parse(body.toString()) as Shown;
  } catch {
    return {};
  }
}
