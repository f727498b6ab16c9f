import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { concerning } from '#lib/security-events.ts';
import type { PartnerCredentialsCache } from './partner-credentials.ts';
import type { PartnerCredentials } from './store.ts';

const TTL_MS = 60 * 60 * 1000;
/** What was made for one is not taken for the other: a link that somebody reads later is no session. */
const purposes = { link: 'partners.portal.link', session: 'partners.portal.session' } as const;
type Kind = keyof typeof purposes;

const DIGEST_BYTES = 32;
const TOKEN = /^([\w-]{96})\.([\w-]{43})$/;

/** All that a token says: nothing is stored. */
interface Pass {
  /** Digest of the client id. */
  client: Buffer;
  /** Digest of the digest of the API key that it was asked for with, and that it ends with. */
  key: Buffer;
  untilMs: number;
}

type Deps = { keyring: Keyring; clock: Clock; partnerCredentials: PartnerCredentialsCache };

/** Whose pages a session opens, and until when. */
export interface PortalSession {
  partner: { id: string; name: string };
  expiresAt: Date;
}

/**
 * A link to a partner's pages, for a person without its credentials: for an hour, and no longer than the partner is active and
 * the API key is that it was asked for with. Its credentials must have been checked.
 */
export function signPortalLink(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: Clock; publicUrl: string },
  { clientId, apiKey }: { clientId: string; apiKey: string },
): { url: string; expiresAt: Date } {
  const untilMs = clock.now().getTime() + TTL_MS;
  const token = sign(keyring, 'link', { client: sha256(clientId), key: sha256(sha256(apiKey)), untilMs });
  return { url: `${publicUrl}/webhooks/open/${token}`, expiresAt: new Date(untilMs) };
}

/**
 * The session that a link opens: it ends when the link does.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED for a link that has ended, in whichever way, and for one that we did not make
 */
export async function openPortalLink(deps: Deps, link: string): Promise<PortalSession & { session: string }> {
  const pass = read(deps, 'link', link);
  return { ...(await admit(deps, pass)), session: sign(deps.keyring, 'session', pass) };
}

/**
 * Whose pages these are.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED without a session, and for one that has ended
 */
export async function enterPortal(deps: Deps, session: string): Promise<PortalSession> {
  return admit(deps, read(deps, 'session', session));
}

function sign(keyring: Keyring, kind: Kind, { client, key, untilMs }: Pass): string {
  const until = Buffer.alloc(8);
  until.writeBigUInt64BE(BigInt(untilMs));
  const text = Buffer.concat([client, key, until]).toString('base64url');
  return `${text}.${keyring.sign(purposes[kind], text).toString('base64url')}`;
}

function read({ keyring, clock }: Deps, kind: Kind, token: string): Pass {
  const [, text = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!keyring.verifies(purposes[kind], text, Buffer.from(signature, 'base64url'))) throw ended();
  const bytes = Buffer.from(text, 'base64url');
  const pass = {
    client: bytes.subarray(0, DIGEST_BYTES),
    key: bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    untilMs: Number(bytes.readBigUInt64BE(2 * DIGEST_BYTES)),
  };
  if (clock.now().getTime() >= pass.untilMs) throw ended();
  return pass;
}

async function admit({ partnerCredentials }: Deps, { client, key, untilMs }: Pass): Promise<PortalSession> {
  const isGood = ({ status, digests }: PartnerCredentials) =>
    status === 'ACTIVE' && digests.some((digest) => equalDigests(sha256(digest), key));
  const found = await partnerCredentials.get(client.toString('hex'), isGood);
  if (found !== undefined) concerning({ partnerId: found.id });
  if (found === undefined || !isGood(found)) throw ended();
  return { partner: { id: found.id, name: found.name }, expiresAt: new Date(untilMs) };
}

const ended = () =>
  new DomainError('PORTAL_LINK_EXPIRED', 'this link has expired, or ended with its API key: ask for another one');
