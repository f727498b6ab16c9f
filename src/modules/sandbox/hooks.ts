import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type HookMode, hookModes } from './hook-mode.ts';
import { type HookRequest, keepRequest, selectRequests } from './store.ts';

/** 128 bits of a keyed digest: too many to guess. */
const MAC_BYTES = 16;
const KEY = /^([0-9a-f]{32})([0-9a-f]{32})$/;

/** Of a request only what a webhook has is kept. */
const KEPT_HEADER = /^(content-type|user-agent|traceparent|r-signature|webhook-[a-z]+)$/;

const macOf = (keyring: Keyring, ownerHex: string): Buffer =>
  keyring.blindIndex('sandbox-hook', ownerHex).subarray(0, MAC_BYTES);

/** Names the owner in the URLs of their receivers; it cannot be forged. */
function keyOf(keyring: Keyring, ownerId: string): string {
  const ownerHex = ownerId.replaceAll('-', '');
  return ownerHex + macOf(keyring, ownerHex).toString('hex');
}

/** @throws DomainError RECEIVER_NOT_FOUND */
function ownerOf(keyring: Keyring, key: string): string {
  const [, ownerHex = '', mac = ''] = KEY.exec(key) ?? [];
  if (!equalDigests(Buffer.from(mac, 'hex'), macOf(keyring, ownerHex))) {
    throw new DomainError(
      'RECEIVER_NOT_FOUND',
      'there is no such receiver: GET /v2/sandbox/hooks says which there are',
    );
  }
  return ownerHex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The receivers of a partner or an application, and what they were sent last. */
export interface Hooks {
  urls: Record<HookMode, string>;
  requests: HookRequest[];
}

/** The URLs of an owner's receivers, one for each way to answer, and the last hundred requests, the latest first. */
export async function readHooks(
  { db, keyring, publicUrl }: { db: Database; keyring: Keyring; publicUrl: string },
  ownerId: string,
): Promise<Hooks> {
  const key = keyOf(keyring, ownerId);
  const urls = Object.fromEntries(hookModes.map((mode) => [mode, `${publicUrl}/v2/sandbox/hooks/${mode}/${key}`]));
  return { urls: urls as Hooks['urls'], requests: await selectRequests(db, { ownerId }) };
}

/**
 * Takes what a receiver is sent, and keeps it.
 *
 * @returns the status to answer
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function receiveHook(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  { mode, key, headers, body }: { mode: HookMode; key: string; headers: Record<string, unknown>; body: string },
): Promise<number> {
  const ownerId = ownerOf(keyring, key);
  const kept = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (KEPT_HEADER.test(name) ? [[name, String(value)]] : [])),
  );
  const message = kept['webhook-id'] ?? sha256(body).toString('hex');
  const [row] = await keepRequest(db, [ownerId, mode, message, JSON.stringify(kept), body, clock.now()]);
  if (row === undefined) throw new Error('an insert returned nothing');
  return row.status;
}
