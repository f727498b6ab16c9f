import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listSigningKeys } from '#modules/signing-keys';
import { signingKeyShape, toSigningKey } from './shapes/signing-key.ts';

export function getKeys(app: ZodApp, deps: DepsOf<typeof listSigningKeys>): void {
  app.get(
    '/keys',
    {
      schema: {
        operationId: 'listSigningKeys',
        summary: 'The keys that sign tokens, newest first, those included that sign no more',
        response: { 200: z.object({ items: z.array(signingKeyShape) }) },
      },
    },
    async () => ({ items: (await listSigningKeys(deps)).map(toSigningKey) }),
  );
}
