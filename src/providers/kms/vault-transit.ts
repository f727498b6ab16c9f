import { z } from 'zod';
import { NoAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { type RootKey, RootKeyUnavailable } from './port.ts';

const encrypted = z.object({ data: z.object({ ciphertext: z.string().regex(/^vault:v\d+:[\w+/=]+$/) }) });
const decrypted = z.object({ data: z.object({ plaintext: z.base64() }) });

/** Which key it is: a stored key names it. */
export const vaultKeyId = ({ mount, key }: { mount: string; key: string }): string => `vault:${mount}/${key}`;

/**
 * A key of the transit engine of HashiCorp Vault (or OpenBao, which speaks the same). The key never leaves it, and may be
 * rotated there: what an older version of it encrypted it still decrypts.
 *
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#encrypt-data
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#decrypt-data
 */
export function vaultRootKey(
  client: ProviderClient,
  { mount, key, token }: { mount: string; key: string; token: string },
): RootKey {
  const ask = async <Shape extends z.ZodType>(what: string, json: object, shape: Shape): Promise<z.output<Shape>> => {
    const path = `/v1/${mount}/${what}/${key}`;
    try {
      const answer = await client.ask({ method: 'POST', path, headers: { 'x-vault-token': token }, json });
      const parsed = shape.safeParse(answer.body);
      if (answer.status === 200 && parsed.success) return parsed.data;
      const why = answer.status === 404 ? 'it has no such key or mount (status 404)' : unusableBecause(answer);
      throw new RootKeyUnavailable(`Vault does not ${what} with the key ${key} of ${mount}: ${why}`);
    } catch (cause) {
      if (!(cause instanceof NoAnswer)) throw cause;
      throw new RootKeyUnavailable(`Vault does not ${what} with the key ${key} of ${mount}: ${cause.message}`, {
        cause,
      });
    }
  };
  return {
    id: vaultKeyId({ mount, key }),
    async wrap(plaintext) {
      const answer = await ask('encrypt', { plaintext: Buffer.from(plaintext).toString('base64') }, encrypted);
      return Buffer.from(answer.data.ciphertext);
    },
    async unwrap(wrapped) {
      const answer = await ask('decrypt', { ciphertext: wrapped.toString() }, decrypted);
      return Buffer.from(answer.data.plaintext, 'base64').toString();
    },
  };
}
