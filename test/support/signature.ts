import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { Received } from './receiver.ts';

/** A MAC of `message` computed by the openssl command: an implementation that is not ours, as a partner's would be. */
async function opensslMac(digest: string, key: readonly string[], message: Buffer): Promise<Buffer> {
  const openssl = spawn('openssl', ['dgst', `-${digest}`, ...key, '-binary'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(openssl, 'exit');
  openssl.stdin.end(message);
  const mac = await buffer(openssl.stdout);
  await exit;
  if (openssl.exitCode !== 0) throw new Error(`openssl dgst ended with code ${openssl.exitCode}`);
  return mac;
}

/** True when the request carries the R-Signature that `clientId` makes of its exact bytes. */
export async function isSigned(request: Received, clientId: string): Promise<boolean> {
  const mac = await opensslMac('sha512', ['-hmac', clientId], request.body);
  return request.headers['r-signature'] === mac.toString('hex');
}

/** The signature of Standard Webhooks that `secret` makes of the exact bytes of a request, its id and its timestamp. */
export async function standardSignature({ headers, body }: Received, secret: string): Promise<string> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const message = Buffer.concat([Buffer.from(signed), body]);
  const mac = await opensslMac('sha256', ['-mac', 'HMAC', '-macopt', `hexkey:${key}`], message);
  return `v1,${mac.toString('base64')}`;
}
