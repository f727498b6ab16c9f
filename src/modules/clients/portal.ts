import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { concerning } from '#lib/security-events.ts';
import type { PartnerCredentialsCache } from './authenticate-partner.ts';
import type { PartnerCredentials } from './partner-store.ts';
import { insertClosed, selectClosed } from './partner-store.ts';

const TTL_MS = 60 * 60 * 1000;
/** Links and sessions are signed for different purposes: a link that leaks later is no session. */
const purposes = { link: 'partners.portal.link', session: 'partners.portal.session' } as const;
type Kind = keyof typeof purposes;

const DIGEST_BYTES = 32;
const ID_BYTES = 16;
const TOKEN = /^([\w-]{118})\.([\w-]{43})$/;

/** The contents of a token. Open ones are not stored. */
interface Pass {
  /** Digest of the client id. */
  client: Buffer;
  /** Digest of the digest of the API key of the request: the link ends with that key. */
  key: Buffer;
  untilMs: number;
  /** The link's id: its sessions end with it. */
  id: Buffer;
}

type Deps = { db: Database; keyring: Keyring; clock: Clock; partnerCredentials: PartnerCredentialsCache };

/** The partner whose pages a session opens, and until when. */
export interface PortalSession {
  partner: { id: string; name: string };
  expiresAt: Date;
}

/**
 * A link to a partner's pages, for a person without its credentials. It works for an hour, while the partner and the API key of the
 * request are active, and until a person closes the pages. The caller has checked the credentials.
 */
export function signPortalLink(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: Clock; publicUrl: string },
  { clientId, apiKey }: { clientId: string; apiKey: string },
): { url: string; expiresAt: Date } {
  const untilMs = clock.now().getTime() + TTL_MS;
  const pass = { client: sha256(clientId), key: sha256(sha256(apiKey)), untilMs, id: Buffer.from(randomId(), 'hex') };
  const token = sign(keyring, 'link', pass);
  return { url: `${publicUrl}/webhooks/open/${token}`, expiresAt: new Date(untilMs) };
}

/**
 * The session that a link opens: it ends when the link does.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED for a link that has ended, or is not ours
 */
export async function openPortalLink(deps: Deps, link: string): Promise<PortalSession & { session: string }> {
  const pass = read(deps, 'link', link);
  return { ...(await admit(deps, pass)), session: sign(deps.keyring, 'session', pass) };
}

/**
 * The partner whose pages these are.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED without a session, and for one that has ended
 */
export async function enterPortal(deps: Deps, session: string): Promise<PortalSession> {
  return admit(deps, read(deps, 'session', session));
}

/**
 * Ends a session with its link, and all other sessions of that link: at once, in every process.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED for one that has ended
 */
export async function closePortal(
  { db, ...deps }: Pick<Deps, 'db' | 'keyring' | 'clock'>,
  session: string,
): Promise<void> {
  const { id, untilMs } = read(deps, 'session', session);
  await insertClosed(db, [id, new Date(untilMs)]);
}

function sign(keyring: Keyring, kind: Kind, { client, key, untilMs, id }: Pass): string {
  const until = Buffer.alloc(8);
  until.writeBigUInt64BE(BigInt(untilMs));
  const text = Buffer.concat([client, key, until, id]).toString('base64url');
  return `${text}.${keyring.sign(purposes[kind], text).toString('base64url')}`;
}

function read({ keyring, clock }: Pick<Deps, 'keyring' | 'clock'>, kind: Kind, token: string): Pass {
  const [, text = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!keyring.verifies(purposes[kind], text, Buffer.from(signature, 'base64url'))) throw ended();
  const bytes = Buffer.from(text, 'base64url');
  const pass = {
    client: bytes.subarray(0, DIGEST_BYTES),
    key: bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    untilMs: Number(bytes.readBigUInt64BE(2 * DIGEST_BYTES)),
    id: bytes.subarray(-ID_BYTES),
  };
  if (clock.now().getTime() >= pass.untilMs) throw ended();
  return pass;
}

async function admit({ db, partnerCredentials }: Deps, { client, key, untilMs, id }: Pass): Promise<PortalSession> {
  const isGood = ({ status, keys, altered }: PartnerCredentials) =>
    status === 'ACTIVE' &&
    altered === undefined &&
    keys.some((one) => one.altered === undefined && equalDigests(sha256(one.digest), key));
  const [found, closed] = await Promise.all([
    partnerCredentials.get(client.toString('hex'), isGood),
    selectClosed(db, [id]),
  ]);
  if (found !== undefined) concerning({ partnerId: found.id });
  if (found === undefined || !isGood(found) || closed.length > 0) throw ended();
  return { partner: { id: found.id, name: found.name }, expiresAt: new Date(untilMs) };
}

const ended = () =>
  new DomainError(
    'PORTAL_LINK_EXPIRED',
    'this link has expired, was closed, or ended with its API key: ask for another one',
  );
