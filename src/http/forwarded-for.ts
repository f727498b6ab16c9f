import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** As some gateways write an address: `203.0.113.9:40001`, `[2001:db8::1]:40001`. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]+)\])(?::\d{1,5})?$/;

/**
 * Reads X-Forwarded-For as addresses: a port is cut off, and what is no address ends the list. Whatever stands before it
 * was written by nobody that can be named, and would count as an address of its own with each request.
 */
export function readForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const given = headers['x-forwarded-for'];
    if (given !== undefined) headers['x-forwarded-for'] = addressesIn(String(given)).join(', ');
    done();
  });
}

/** The addresses of the header, up to the first from the right that is none. */
function addressesIn(header: string): string[] {
  const written = header.split(',').map((part) => {
    const trimmed = part.trim();
    const [, v4, v6] = WITH_PORT.exec(trimmed) ?? [];
    return v4 ?? v6 ?? trimmed;
  });
  return written.slice(written.findLastIndex((address) => isIP(address) === 0 || address.includes('%')) + 1);
}
