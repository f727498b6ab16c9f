import type { ZodApp } from '#http/zod-app.ts';
import { postHooks } from './post-hooks.ts';

/** Where providers tell us what has happened. Their bodies are taken as bytes, of any content type: those are what is signed. */
export const hooksPlugin = (deps: Parameters<typeof postHooks>[1]) => async (app: ZodApp) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  postHooks(app, deps);
};
