import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { lazy } from '#lib/lazy.ts';

/**
 * Draws the reference from our own server only. Scalar's fields and buttons lack names and its lists cannot be scrolled by
 * keyboard: the script repairs both as they appear.
 */
const START = `
const reference = document.getElementById('reference');
Scalar.createApiReference(reference, {
  url: reference.dataset.document,
  authentication: { preferredSecurityScheme: [reference.dataset.credentials.split(' ')] },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
});
const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
const mend = () => {
  each('button.scalar-code-copy:not([aria-label])', (button) => button.setAttribute('aria-label', 'Copy'));
  each('button.show-more[aria-label]', (button) => button.removeAttribute('aria-label'));
  each('[contenteditable][role="combobox"]:not([aria-label])', (field) => {
    field.setAttribute('role', 'textbox');
    field.setAttribute('aria-label', 'Text');
  });
  each('ul.endpoints:not([tabindex])', (list) => list.setAttribute('tabindex', '0'));
};
let due = false;
new MutationObserver(() => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    mend();
  });
}).observe(reference, { childList: true, subtree: true });
`;

/** The script of Scalar, which its Fastify plugin carries; 4 MB, compressed once, when it is first asked for. */
const scalar = lazy(async () => {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(plugin, { routePrefix: '/', configuration: { content: { openapi: '3.0.3' } } });
  const { rawPayload } = await server.inject('/js/scalar.js');
  await server.close();
  return promisify(gzip)(rawPayload);
});

const params = z.object({ script: z.enum(['scalar.js', 'start.js']) });

/** The scripts that draw a reference. */
export function getDocsReferenceScripts(app: ZodApp): void {
  app.get('/docs/reference/scripts/:script', { schema: { hide: true, params } }, async (request, reply) => {
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600');
    if (request.params.script === 'start.js') return reply.serializer(String).send(START);
    return reply.header('content-encoding', 'gzip').send(await scalar());
  });
}
