import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { generatedSecrets } from '../../../src/config/generated-secrets.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'paytag-test-secrets-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('the secrets of an embedded sandbox', () => {
  test('are made once, are the server’s to use, and differ from one sandbox to the next', async () => {
    const secrets = await generatedSecrets(join(root, 'one/.data'));
    expect(secrets['OPERATOR_TOKEN']).toMatch(/^op_sandbox_[\w-]{43}$/);
    expect(secrets['MASTER_KEY']).toMatch(/^[0-9a-f]{64}$/);
    expect(readConfig(secrets, {}).operatorToken).toBe(secrets['OPERATOR_TOKEN']);
    expect(await generatedSecrets(join(root, 'one/.data'))).toEqual(secrets);
    expect(await generatedSecrets(join(root, 'two/.data'))).not.toEqual(secrets);
  });

  test('are readable by their owner alone, and nothing else is left beside them', async () => {
    await generatedSecrets(root);
    expect(await readdir(root)).toEqual(['secrets.json']);
    expect((await stat(join(root, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('are the same for all concurrent readers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => generatedSecrets(root)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('never replace a damaged file', async () => {
    const file = join(root, 'secrets.json');
    await writeFile(file, '{"OPERATOR_TOKEN":');
    await expect(generatedSecrets(root)).rejects.toThrow(/is damaged: restore it/);
    expect(await readFile(file, 'utf8')).toBe('{"OPERATOR_TOKEN":');
  });
});
