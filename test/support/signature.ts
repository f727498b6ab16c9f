import { subtle } from 'node:crypto';
import type { Received } from './receiver.ts';

/** A MAC of `message` by Web Cryptography, which nothing of ours signs with. */
async function macOf(hash: 'SHA-256' | 'SHA-512', key: Buffer<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) {
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
  return Buffer.from(await subtle.sign('HMAC', imported, message));
}

/** True when the request carries the R-Signature that `clientId` makes of its exact bytes. */
export async function isSigned(request: Received, clientId: string): Promise<boolean> {
  const mac = await macOf('SHA-512', Buffer.from(clientId), Buffer.from(request.body));
  return request.headers['r-signature'] === mac.toString('hex');
}

/** The signature of Standard Webhooks that `secret` makes of the exact bytes of a request, its id and its timestamp. */
export async function standardSignature({ headers, body }: Received, secret: string): Promise<string> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const mac = await macOf('SHA-256', key, Buffer.concat([Buffer.from(signed), body]));
  return `v1,${mac.toString('base64')}`;
}
