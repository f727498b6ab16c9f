import { isIP } from 'node:net';

/**
 * Whether a PostgreSQL URL leads over a network on which somebody could pass for the database: to another host, without
 * `sslmode=verify-full`, by which the certificate and its name are checked. A Unix socket is this host.
 */
export function reachesAnotherHostUnverified(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const host = last('host') ?? decodeURIComponent(hostname);
  return !isThisHost(host) && last('sslmode') !== 'verify-full';
}

const isThisHost = (host: string): boolean =>
  host === '' ||
  host === 'localhost' ||
  host === '[::1]' ||
  host === '::1' ||
  host.startsWith('/') ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** Where a database or Redis is, as the log may say it: without login and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(hostname)}${port && `:${port}`}${pathname}`;
}
