import type { ZodApp } from '#http/zod-app.ts';
import { postHooks } from './post-hooks.ts';

/** Webhooks of providers. Bodies are read as bytes, whatever the content type, because the signature covers the bytes. */
export const hooksPlugin = (deps: Parameters<typeof postHooks>[1]) => async (app: ZodApp) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  postHooks(app, deps);
};
