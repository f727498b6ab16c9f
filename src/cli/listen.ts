import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { createPayTag, type PayTag } from 'paytag/client';
import { z } from 'zod';
import { CannotStart } from '#lib/domain-error.ts';
import { webUrl } from '#wire/text.ts';
import { loadCommandConfig } from '../config/load-config.ts';
import { readCredentials } from '../demo/credentials-file.ts';
import { parseWith, plainNumber } from './arguments.ts';
import { receiveWebhooks } from './listen/receiver.ts';
import { serverOf } from './server-of.ts';

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

/** `paytag listen`: shows what a partner is sent, as it is sent. */
export const listenCommand = (): Command =>
  new Command('listen')
    .description('receive, verify and print what the demo partner is sent, until it is stopped (Ctrl-C)')
    .option('--forward-to <url>', 'pass each webhook on as it came, and answer what that answers', parseWith(webUrl))
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

/** Unless somebody has set another meanwhile. */
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
