import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const source = [...globSync('src/**/*.{ts,cjs}'), ...globSync('migrations/*.sql')].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));

/** The files in which it stands. */
const filesWith = (pattern: RegExp): string[] =>
  source.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

it('there is something to read, and what stands in it is found', () => {
  expect(source.length).toBeGreaterThan(400);
  expect(filesWith(/aes-256-gcm/)).toContain('src/lib/crypto/keyring.ts');
});

it('V1.2.5: nothing that serves requests can start a program: the embedded database and the tour do', () => {
  const starting = filesWith(
    /(?:from|import|require)\s*\(?\s*['"](node:)?(child_process|cluster|worker_threads|vm)['"]/,
  );
  expect(starting.filter((path) => !/^src\/(embedded|cli\/tour)\//.test(path))).toEqual([]);
  expect(filesWith(/\bexecSync\(|[^.]\bexec\(|shell: true/)).toEqual([]);
});

it('V1.3.2: no text is run as code', () => {
  expect(filesWith(/(?<!redis\.)\beval\(|\bnew Function\(|\bsetTimeout\(\s*['"`]/)).toEqual([]);
});

it('V1.2.9: no regular expression is made of what comes from outside', () => {
  // Of a format that holds Y, M, D and separators alone.
  expect(filesWith(/\bRegExp\(/)).toEqual(['src/modules/reconciliation/files/written-day.ts']);
});

it('V11.4.1: no digest that is broken is used', () => {
  expect(filesWith(/['"](md5|sha-?1|rsa-?sha1)['"]|\bmd5\(/i)).toEqual([]);
});

it('V11.5.1: what must not be guessed comes from the operating system, and nothing from Math.random', () => {
  expect(filesWith(/Math\.random/)).toEqual([]);
});

it('V12.3.2: certificates are checked everywhere', () => {
  expect(filesWith(/rejectUnauthorized|checkServerIdentity|sslmode=no-verify/)).toEqual([]);
  // Where live refuses it.
  expect(filesWith(/NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual(['src/config/environment.ts']);
});

it('V12.3.4: a certificate authority of our own is trusted in place of the public ones, not beside them', () => {
  expect(filesWith(/\b(rootCertificates|getCACertificates|setDefaultCACertificates)\b/)).toEqual([]);
});

it('V4.2.1: Node’s parser of HTTP is never made lenient', () => {
  expect(filesWith(/insecureHTTPParser|insecure-http-parser/)).toEqual([]);
});
