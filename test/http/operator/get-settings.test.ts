import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

interface Setting {
  name: string;
  value?: string;
  isSecret: boolean;
  source: string;
  unit?: string;
  purpose: string;
}

const file = join(mkdtempSync(join(tmpdir(), 'paytag-')), 'key');
writeFileSync(file, 'vault-s3cret');
const server = useApp({
  WEBHOOK_TIMEOUT_MS: '2500',
  KMS_VAULT_TOKEN_FILE: file,
  EMAIL_SMTP_URL: 'smtps://mailer:planted-pw@mail.example:465?pool=planted-query',
});

describe('200', () => {
  it('every variable, its value, unit and purpose, and where it came from; nothing secret, to nobody', async () => {
    const viewer = await newOperator(server, 'viewer');
    for (const who of [viewer, server]) {
      const answer = await who.operate('GET', '/settings');
      const {
        settings,
        process: answering,
        schema,
      } = answer.json<{ settings: Setting[]; process: object; schema: object }>();
      const by = new Map(settings.map(({ name, ...rest }) => [name, rest]));
      expect(by.get('WEBHOOK_TIMEOUT_MS')).toMatchObject({
        value: '2500',
        source: 'ENVIRONMENT',
        unit: 'milliseconds',
      });
      expect(by.get('AUTH_CODE_TTL_S')).toMatchObject({ value: '120', source: 'DEFAULT', unit: 'seconds' });
      expect(by.get('RATE_LIMIT_FINDS_PER_H')).toMatchObject({ source: 'DEFAULT', unit: 'an hour' });
      const about = { subject: 'Stores and secrets', purpose: expect.any(String) };
      expect(by.get('REDIS_URL')).toEqual({ isSecret: false, source: 'UNSET', ...about });
      expect(by.get('EMAIL_SMTP_URL')?.value).toBe('smtps://mail.example:465');
      expect(by.get('KMS_VAULT_TOKEN')).toEqual({ isSecret: true, source: 'FILE', ...about });
      expect(by.get('OPERATOR_TOKEN')).toEqual({ isSecret: true, source: 'ENVIRONMENT', ...about });
      expect(by.get('DATABASE_URL')?.value).toMatch(/^postgres(ql)?:\/\/[^@]+$/);
      for (const secret of ['vault-s3cret', 'planted', 'mailer', OPERATOR_TOKEN])
        expect(answer.body).not.toContain(secret);
      expect(answering).toMatchObject({
        pid: process.pid,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        node: process.versions.node,
        environment: 'sandbox',
        role: 'all',
        startedAt: expect.any(String),
      });
      expect(schema).toMatchObject({ applied: expect.any(Number), latest: expect.stringMatching(/^\d{4}_/) });
    }
  });
});
