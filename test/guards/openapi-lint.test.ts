import { createRequire } from 'node:module';
import type * as Redocly from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as Rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { documentUrls, readDocument } from '../support/described.ts';

// Spectral is CommonJS, and so large that Node reads it faster than the test runner.
const require = createRequire(import.meta.url);

const server = useApp({ PUBLIC_URL: 'https://pay.acme.ng' });

/** What Redocly's recommended rules find, errors and warnings alike. */
async function foundByRedocly(source: string): Promise<string[]> {
  const { createConfig, lintFromString }: typeof Redocly = require('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  );
}

/**
 * Compile the schema of each example anew wherever it stands, which is four fifths of what Spectral takes. Redocly judges the
 * examples of bodies by a rule of its own, and `openapi.test.ts` those inside of schemas.
 */
const examples = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' } as const;

/** What Spectral's other recommended rules find, errors, warnings and hints alike. */
async function foundBySpectral(source: string): Promise<string[]> {
  const { Spectral }: typeof SpectralCore = require('@stoplight/spectral-core');
  const { oas }: typeof Rulesets = require('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as never, 'recommended']], rules: examples });
  const problems = await spectral.run(JSON.parse(source));
  return problems.map(({ severity, code, message, path }) => `${severity} ${code}: ${message} ${path.join('.')}`);
}

const linters = [
  ['Redocly', foundByRedocly],
  ['Spectral', foundBySpectral],
] as const;

describe.each(documentUrls)('%s', (url) => {
  it.each(linters)('gives %s nothing to complain of, by its recommended rules', async (_name, found) => {
    expect(await found(JSON.stringify(await readDocument(server, url)))).toEqual([]);
  });
});

it.each(linters)('%s complains of an operation without a name', async (_name, found) => {
  const document = await readDocument(server, '/api/openapi.json');
  const path = '/api/v1/tags/{tag}';
  const { operationId: _unnamed, ...get } = document.paths[path]?.['get'] ?? { responses: {} };
  document.paths = { [path]: { get } }; // one is enough to be complained of
  expect((await found(JSON.stringify(document))).join('\n')).toContain('operation-operationId');
});
