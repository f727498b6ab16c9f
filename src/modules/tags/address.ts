import { parseHandle } from './handle.ts';

/** The parts of an address: `ada`, `@ada`, or `ada@acme`, whose part after the @ is the namespace of its owner's application. */
export function parseAddress(address: string): { handle: string | undefined; namespace: string | undefined } {
  const bare = address.startsWith('@') ? address.slice(1) : address;
  const [name = '', namespace, ...more] = bare.split('@');
  const handle = more.length === 0 && !bare.startsWith('@') ? parseHandle(name) : undefined;
  return { handle, namespace: namespace?.toLowerCase() };
}

/** The handle in an address, undefined when it is none. */
export const handleOf = (address: string): string | undefined => parseAddress(address).handle;
