import { isIP } from 'node:net';

/**
 * Whether a PostgreSQL URL leads over a network on which somebody could pass for the database: to another host, without
 * `sslmode=verify-full`, by which the certificate and its name are checked. A Unix socket is this host. A URL that names no
 * host leads wherever `PGHOST` says, and so counts as another.
 */
export function reachesAnotherHostUnverified(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const host = last('host') ?? decodeURIComponent(hostname);
  return !isThisHost(host) && last('sslmode') !== 'verify-full';
}

/** Whether a host, as a URL has it, is a name or an address of this one. */
export const isThisHost = (host: string): boolean =>
  host === 'localhost' ||
  host === '[::1]' ||
  host === '::1' ||
  host.endsWith('.localhost') ||
  host.startsWith('/') ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** Where a database or Redis is, as the log may say it: without login and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(hostname)}${port && `:${port}`}${pathname}`;
}
