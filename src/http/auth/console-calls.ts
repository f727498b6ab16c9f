import type { FastifyRequest } from 'fastify';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { randomToken } from '#lib/random.ts';

/** Known to this process alone, and gone with it. */
const proof = randomToken();
const proofDigest = sha256(proof);

/** The header by which the console of this process asks the operator API for whoever has this session. */
export const asConsole = (session: string): { authorization: string } => ({
  authorization: `Console ${proof}.${session}`,
});

/**
 * The session that the console of this process asks for; undefined for every other call. Nobody outside can make such a header:
 * what a browser keeps is no credential of the API.
 */
export function consoleSessionOf({ headers }: FastifyRequest): string | undefined {
  const [, given = '', session] = /^Console ([\w-]{43})\.([\w-]{43})$/.exec(headers.authorization ?? '') ?? [];
  return equalDigests(sha256(given), proofDigest) ? session : undefined;
}
