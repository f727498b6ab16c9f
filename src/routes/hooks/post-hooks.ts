import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { receiveMessage } from '#modules/collections';
import type { HookVerifier } from '../../providers/hooks/port.ts';

/** A provider's message is some kilobytes, including our metadata and its customers' texts. */
const BODY_BYTES_MAX = 256 * 1024;

type Deps = DepsOf<typeof receiveMessage> & { hookVerifiers: readonly HookVerifier[] };

/** Verifies a provider's message, stores it and answers. The worker books it later. */
export function postHooks(app: ZodApp, { hookVerifiers, ...deps }: Deps): void {
  app.post<{ Params: { provider: string } }>(
    '/:provider',
    { bodyLimit: BODY_BYTES_MAX },
    async ({ params, headers, body }) => {
      const verifier = hookVerifiers.find(({ name }) => name === params.provider);
      if (verifier === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'nothing is at this path: check it');
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      if (!verifier.isGenuine(bytes, headers)) {
        throw new DomainError('INVALID_SIGNATURE', 'the signature is not that of this body');
      }
      await receiveMessage(deps, { provider: verifier.name, origin: 'HOOK', body: bytes });
      return { received: true };
    },
  );
}
