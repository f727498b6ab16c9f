import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockAuthentic, readByIds, routeApplication } from './application-store.ts';
import { applicationNotFound } from './applications.ts';

/** Hosts of a developer's own machine (RFC 8252, 7.3). */
const OWN_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Two addresses are the same page if all but their query is equal; the query is the application's own. */
const pageOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

/**
 * Normalizes the return URLs of an application, without duplicates: pages of its own to which the approval pages send customers back.
 *
 * @throws DomainError INVALID_PARAMETER for one with a query or a fragment, and for one that is not https; outside live,
 *   http to localhost passes
 */
export function registrable(environment: string, returnUrls: readonly string[]): string[] {
  for (const [at, url] of returnUrls.entries()) {
    const { protocol, hostname, search, hash } = new URL(url);
    const isOwnMachine = environment !== 'live' && OWN_MACHINE.has(hostname);
    const why =
      protocol !== 'https:' && !isOwnMachine
        ? 'must be an https URL'
        : search !== '' || hash !== '' || /[?#]/.test(url)
          ? 'must have neither query nor fragment: send the query with the request'
          : undefined;
    if (why !== undefined) throw new DomainError('INVALID_PARAMETER', `returnUrls.${at}: ${why}`);
  }
  return [...new Set(returnUrls.map(pageOf))];
}

/**
 * Replaces the return URLs of an application. Requests that were created with an earlier one keep it.
 * Audited.
 *
 * @throws DomainError INVALID_PARAMETER, APPLICATION_NOT_FOUND
 */
export async function changeReturnUrls(
  { transact, keyring, environment }: { transact: Transact; keyring: Keyring; environment: string },
  { id, returnUrls, actor }: { id: string; returnUrls: readonly string[]; actor: string },
): Promise<string[]> {
  const wanted = registrable(environment, returnUrls);
  return transact(async (tx) => {
    const row = await lockAuthentic(tx, keyring, id);
    if (row === undefined) throw applicationNotFound();
    await routeApplication(tx, keyring, row, { returnUrls: wanted });
    const change = { before: { returnUrls: row.returnUrls }, after: { returnUrls: wanted } };
    await recordChange(tx, { actor, action: 'application.return-urls', target: id, ...change });
    return wanted;
  });
}

/** The return URLs of an application. @throws AlteredRecord */
export async function getReturnUrls(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<string[]> {
  const [found] = await readByIds(db, keyring, [id]);
  if (found?.altered !== undefined) throw found.altered;
  return found?.returnUrls ?? [];
}

/**
 * Passes a return URL that the application has registered, with any query.
 *
 * @throws DomainError RETURN_URL_NOT_REGISTERED; AlteredRecord
 */
export async function assertReturnUrl(
  deps: { db: Executor; keyring: Keyring },
  id: string,
  returnUrl: string,
): Promise<void> {
  const registered = await getReturnUrls(deps, id);
  if (!returnUrl.includes('#') && registered.includes(pageOf(returnUrl))) return;
  throw new DomainError('RETURN_URL_NOT_REGISTERED', 'returnUrl: is not one of your registered returnUrls');
}
