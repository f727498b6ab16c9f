import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readCompose } from '../support/compose.ts';
import { blocksOf, documentAt } from '../support/documents.ts';

/** What the guide puts into docker-compose.override.yml. */
const additionShape = z.strictObject({
  services: z
    .record(z.string(), z.strictObject({ extends: z.record(z.string(), z.string()), ports: z.array(z.string()) }))
    .optional(),
  networks: z
    .strictObject({
      default: z.strictObject({
        ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.string() })]) }),
      }),
    })
    .optional(),
});

test('docker-compose.yml is added to as the guide says: a second API on ports of its own, and the address of a proxy on this host', async () => {
  const compose = await readCompose();
  const guide = documentAt('src/docs/operate.md');
  const [networks, second] = blocksOf(guide, 'yaml').map((block) =>
    additionShape.parse(parse(block, { logLevel: 'error' })),
  );
  const [name = '', { extends: extended, ports = [] } = {}] = Object.entries(second?.services ?? {})[0] ?? [];
  expect(Object.keys(compose.services)).not.toContain(name);
  expect(extended).toEqual({ file: 'docker-compose.yml', service: 'api' });
  const hostPort = (port: string) => /^127\.0\.0\.1:(\d+):/.exec(port)?.[1];
  const taken = Object.values(compose.services).flatMap((service) => service.ports.map(hostPort));
  expect(ports.map(hostPort).filter((port) => port === undefined || taken.includes(port))).toEqual([]);
  expect(ports.map((port) => port.split(':')[2])).toEqual(['3000', '9464']);
  const [, first] = /^(\d+\.\d+\.\d+)\.0\/24$/.exec(networks?.networks?.default.ipam.config[0].subnet ?? '') ?? [];
  expect(guide.text).toContain(`\`TRUSTED_PROXIES=${first}.1\``);
});
