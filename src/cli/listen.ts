import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { createPayTag, type PayTag, PayTagSignatureError, verifyWebhook } from 'paytag/client';
import { z } from 'zod';
import { CannotStart } from '#lib/domain-error.ts';
import { webUrl } from '#wire/text.ts';
import { loadCommandConfig } from '../config/load-config.ts';
import { readCredentials } from '../demo/credentials-file.ts';
import { seen } from './server/table.ts';
import { serverOf } from './server-of.ts';
import { parseWith, plainNumber } from './terminal.ts';

const PATH = '/paytag-listen';

const credentialsShape = z.object({
  clientId: z.string(),
  apiKey: z.string(),
  webhookSecret: z.string().optional(),
});
type Credentials = z.infer<typeof credentialsShape>;

interface Options {
  forwardTo?: string;
  port: number;
  credentials?: string;
}

/** `paytag listen`: shows the webhooks of a partner as they arrive. */
export const listenCommand = (): Command =>
  new Command('listen')
    .description('receive, verify and print the webhooks of the demo partner, until stopped (Ctrl-C)')
    .option(
      '--forward-to <url>',
      'forward each webhook unchanged, and answer with the status of that URL',
      parseWith(webUrl),
    )
    .option('--port <port>', 'where to listen on this machine', parseWith(z.int().min(0).max(65_535), plainNumber), 0)
    .option('--credentials <file>', 'another partner: JSON with clientId, apiKey and, if known, webhookSecret')
    .action(listen);

async function listen({ forwardTo, port, credentials }: Options): Promise<void> {
  const config = await loadCommandConfig();
  const { url: origin } = await serverOf(config);
  const { clientId, apiKey, webhookSecret: secret } = await credentialsIn(config.dataDir, credentials);
  const partner = createPayTag({ baseUrl: `${origin}/v2`, clientId, apiKey });
  const stopped = untilStopped();
  const receiver = await receiveWebhooks({ clientId, secret }, { port, forwardTo, path: PATH, print: console.log });
  try {
    const { url: before = null } = await partner.get('/partner/webhook');
    await partner.put('/partner/webhook', { body: { url: receiver.url } });
    try {
      console.log(
        `Listening at ${receiver.url}, which is the webhook URL for now. Ctrl-C puts back ${before ?? 'none'}.`,
      );
      if (secret === undefined) console.log('webhook-signature is not checked: the secret is not known.');
      await stopped;
    } finally {
      await putBack(partner, { ours: receiver.url, before });
    }
  } finally {
    await receiver.close();
  }
}

/** Restores the URL, unless it was changed in the meantime. */
async function putBack(partner: PayTag, { ours, before }: { ours: string; before: string | null }): Promise<void> {
  const { url } = await partner.get('/partner/webhook');
  if (url === ours) await partner.put('/partner/webhook', { body: { url: before } });
  console.log(
    url === ours ? `The webhook URL is ${before ?? 'none'} again.` : 'The webhook URL was changed meanwhile.',
  );
}

/** @throws CannotStart when there are none, or they are not readable */
async function credentialsIn(dataDir: string, file: string | undefined): Promise<Credentials> {
  if (file === undefined) {
    const demo = await readCredentials(dataDir);
    if (demo !== undefined) return demo.partner;
    throw new CannotStart(`there is no demo in ${dataDir}: give the credentials of a partner with --credentials`);
  }
  const text = await readFile(file, 'utf8').catch(() => '');
  const read = credentialsShape.safeParse(jsonOf(text));
  if (read.success) return read.data;
  throw new CannotStart(`${file} does not hold JSON with clientId and apiKey`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const FORWARDED_MAX_MS = 30_000;
/** Headers of one connection, which the forwarded request sets itself. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
]);

/** The secrets that verify webhooks. Without `secret` the `webhook-signature` is not checked. */
export interface VerifiedBy {
  clientId: string;
  secret: string | undefined;
}

interface Received {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/**
 * Receives webhooks on this machine, prints a line for each, forwards it unchanged and answers with that status; without forwarding 200,
 * or 400 where a signature does not match.
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

/** Why the webhook is not authentic; undefined when it is. */
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

/** Forwards the bytes and the headers unchanged. */
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
