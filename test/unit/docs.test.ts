import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorMessages } from '../../src/docs/error-meanings/messages.ts';

const TEXT = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;

/** Every text of the server; where it is filled in as the server runs, anything may stand. */
const textsOf = (source: string): RegExp[] =>
  [...source.matchAll(TEXT)].map(([, plain, filled]) => {
    const parts = filled === undefined ? [plain ?? ''] : filled.split(/\$\{[^}]*\}/);
    return new RegExp(`^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.+')}$`, 'u');
  });

/** What is said of one member stands behind its name. */
const withoutMember = (message: string): string => message.replace(/^\w+: /, '');

it('each message that the documents show with an error code is one that the server says', () => {
  const files = globSync('src/**/*.ts', { exclude: ['src/docs/**', 'src/client/**'] });
  const texts = files.flatMap((file) => textsOf(readFileSync(file, 'utf8'))).filter(({ source }) => source.length > 12);
  expect(texts.length).toBeGreaterThan(1000);
  const invented = Object.entries(errorMessages).filter(
    ([, message]) => !texts.some((text) => text.test(message) || text.test(withoutMember(message))),
  );
  expect(invented).toEqual([]);
});
