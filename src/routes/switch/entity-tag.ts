import { hash } from 'node:crypto';

/** A weak entity tag of an answer's data: the envelope around it differs by its timestamp. */
export const entityTag = (dataJson: string): string => `W/"${hash('sha256', dataJson, 'base64url')}"`;

/** True when an If-None-Match header names the entity tag (RFC 9110 13.1.2, weak comparison). */
export function isUnchanged(ifNoneMatch: string | undefined, current: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map(opaque);
  return known.includes('*') || known.includes(opaque(current));
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
