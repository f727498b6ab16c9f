import type { ZodApp } from './zod-app.ts';

/** Nothing that this instance answers is kept by a cache on its way: it is somebody's money, data or secret. */
export function noStore(app: ZodApp): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
