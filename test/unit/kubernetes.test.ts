import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { variables } from '../../src/config/variables.ts';
import { readCompose, type Service } from '../support/compose.ts';
import { blocksOf, documentAt } from '../support/documents.ts';

const container = z.object({
  name: z.string(),
  command: z.array(z.string()).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  securityContext: z.object({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
  volumeMounts: z.array(z.object({ mountPath: z.string(), readOnly: z.boolean().default(false) })),
});
const pods = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number().optional(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
      }),
    }),
  }),
});
const shape = z.looseObject({ kind: z.string(), data: z.record(z.string(), z.string()).default({}) });

const objects = blocksOf(documentAt('src/docs/kubernetes.md'), 'yaml')
  .flatMap((block) => parseAllDocuments(block))
  .map((document) => shape.parse(document.toJS()));
const ofPods = objects
  .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  .map((object) => pods.parse(object).spec.template.spec);
const known = new Set(Object.keys(variables.shape).flatMap((name) => [name, `${name}_FILE`]));
const shared = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
const compose = await readCompose();
const secretsOf = (paths: readonly string[]) => paths.filter((path) => path.startsWith('/secrets/')).toSorted();
const mountsOf = ({ volumes }: Service) => volumes.map((volume) => volume.split(':')[1] ?? '');

test('what the page runs in Kubernetes is what compose runs: command, variables, secrets, ports and time to end', () => {
  expect(ofPods.map(({ containers: [{ name }] }) => name)).toEqual(['migrate', 'api', 'worker']);
  for (const { containers, terminationGracePeriodSeconds } of ofPods) {
    const [{ name, command, env, ports, volumeMounts }] = containers;
    const there = compose.services[name];
    if (there === undefined) throw new Error(`compose has no ${name}`);
    expect([name, command]).toEqual([name, there.command]);
    const given = { ...shared, ...Object.fromEntries(env.map((one) => [one.name, one.value])) };
    expect(Object.keys(given).filter((variable) => !known.has(variable))).toEqual([]);
    const files = (of: Record<string, string>) =>
      Object.fromEntries(Object.entries(of).filter(([variable]) => variable.endsWith('_FILE')));
    expect([name, files(given)]).toEqual([name, files(there.environment)]);
    expect([name, given['ROLE']]).toEqual([name, there.environment['ROLE']]);
    expect(volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)).toEqual(there.tmpfs);
    expect([name, secretsOf(volumeMounts.map(({ mountPath }) => mountPath))]).toEqual([
      name,
      secretsOf(mountsOf(there)),
    ]);
    const inside = there.ports.map((port) => Number(port.split(':').at(-1)));
    expect(ports.map(({ containerPort }) => containerPort)).toEqual(expect.arrayContaining(inside));
    const graceS = terminationGracePeriodSeconds;
    expect(graceS === undefined ? undefined : `${graceS}s`).toBe(there.stop_grace_period);
  }
});

test('its probes ask for what the server answers', () => {
  const asked = JSON.stringify(objects).match(/"path":"[^"]+"/g) ?? [];
  const answered = globSync('src/routes/open/*.ts').map((file) => readFileSync(file, 'utf8')).join('\n'); // biome-ignore format: one line
  expect(new Set(asked).size).toBe(2);
  for (const one of asked) expect(answered).toContain(`'${one.slice('"path":"'.length, -1)}'`);
  expect(existsSync('src/cli/paytag.js')).toBe(true);
});
