import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';

/** Makes what several projects of one run share, for the first of them that needs it. */
export async function provideOnce<Key extends keyof ProvidedContext>(
  project: TestProject,
  key: Key,
  make: () => Promise<ProvidedContext[Key]>,
): Promise<void> {
  const run = project.vitest.getRootProject();
  if (!(key in run.getProvidedContext())) run.provide(key, await make());
}
