import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Received } from './receiver.ts';

/**
 * Lower-case hex HMAC-SHA512 of `body`, keyed with `clientId`, computed by the openssl command: an implementation that
 * is not ours, as a partner's would be.
 */
export async function opensslSignature(body: Buffer, clientId: string): Promise<string> {
  const openssl = spawn('openssl', ['dgst', '-sha512', '-hmac', clientId], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(openssl, 'exit');
  openssl.stdin.end(body);
  const said = await text(openssl.stdout);
  await exit;
  if (openssl.exitCode !== 0) throw new Error(`openssl dgst ended with code ${openssl.exitCode}`);
  return said.trim().split(/\s+/).at(-1) ?? '';
}

/** True when the request carries the R-Signature that `clientId` makes of its exact bytes. */
export async function isSigned(request: Received, clientId: string): Promise<boolean> {
  return request.headers['r-signature'] === (await opensslSignature(request.body, clientId));
}
