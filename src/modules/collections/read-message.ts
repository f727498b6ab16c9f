import type { Keyring } from '#lib/crypto/keyring.ts';
import { readPaystack } from '../../providers/hooks/paystack.ts';
import type { ReadHook, ReadMessage } from '../../providers/hooks/port.ts';
import { readSimulator } from '../../providers/hooks/simulator.ts';
import { type MessageName, openBody } from './message-body.ts';

const readers: Readonly<Record<string, ReadHook>> = { paystack: readPaystack, simulator: readSimulator };

/** A stored message as its provider means it. @throws Error for one that cannot be read, or not any more */
export function readMessage(
  keyring: Keyring,
  { id, provider, digest, bodySealed }: MessageName & { id: string; bodySealed: Buffer | null },
): ReadMessage {
  const reader = readers[provider];
  if (reader === undefined || bodySealed === null) throw new Error(`message ${id} cannot be read any more`);
  return reader(openBody(keyring, { provider, digest }, bodySealed));
}
