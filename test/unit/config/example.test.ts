import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readVariables } from '../../../src/config/environment.ts';
import { exampleOf } from '../../../src/config/example.ts';
import { newSecrets } from '../../../src/config/generated-secrets.ts';
import { variables } from '../../../src/config/variables.ts';
import { liveEnv, validValues } from '../../support/variables.ts';
import { refused } from './refused.ts';

/** An example as its reader fills it in: what is given stays, what is empty gets a value. */
function filledIn(text: string): Record<string, string> {
  const values: Record<string, string> = { ...validValues, ...liveEnv };
  values['DATABASE_URL'] = 'postgresql://server:word@db.example.com/paytag?sslmode=verify-full';
  const given = Object.entries(parseEnv(text)).map(([name, value = '']) => [name, value || (values[name] ?? '')]);
  return Object.fromEntries(given);
}

const embedded = newSecrets();
const read = (text: string) => readVariables(embedded, filledIn(text));

describe.each(['live', 'staging', 'sandbox'] as const)('the example for %s', (environment) => {
  const example = exampleOf(environment);

  it('is valid once it is filled in', () => {
    expect(read(example)).toMatchObject({ ENVIRONMENT: environment, embedded: environment === 'sandbox' });
  });

  it('asks for nothing that need not be set: each variable it leaves empty is missing without a value', () => {
    const { ENVIRONMENT: _, ...given } = filledIn(example);
    const empty = Object.keys(given).filter((name) => parseEnv(example)[name] === '');
    expect(empty.length > 0).toBe(environment !== 'sandbox');
    for (const name of empty) {
      expect(refused({ ...filledIn(example), [name]: '' }, embedded)).toMatch(new RegExp(`^${name} is missing: `));
    }
  });

  it('says of each variable what it is for and what it takes, and how one that is left empty is made', () => {
    for (const [name, shape] of Object.entries(variables.shape)) {
      expect(example).toMatch(new RegExp(`^# ${RegExp.escape(shape.description ?? '')}\n# .+\n(# )?${name}=`, 'm'));
    }
    for (const [, hint] of example.matchAll(/^# (.+)\n[A-Z_]+=$/gm))
      expect(hint).toMatch(/openssl|e\.g\.|shows it|gave it/);
  });

  it('has the defaults in its comments: without their comment signs nothing changes', () => {
    const uncommented = example.replaceAll(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1');
    expect(Object.keys(parseEnv(uncommented)).toSorted()).toEqual(Object.keys(variables.shape).toSorted());
    const optional = Object.entries(parseEnv(uncommented)).filter(([name]) => !(name in parseEnv(example)));
    expect(readVariables(embedded, { ...Object.fromEntries(optional), ...filledIn(example) })).toEqual(read(example));
  });
});
