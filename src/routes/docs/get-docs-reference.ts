import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { REFERENCES, sendReferencePage } from './docs-page.ts';

const params = z.object({ api: z.enum(Object.keys(REFERENCES) as (keyof typeof REFERENCES)[]) });

/** The reference of an API. It is drawn in the browser, from the API's OpenAPI document. */
export function getDocsReference(app: ZodApp): void {
  app.get('/docs/reference/:api', { schema: { hide: true, params } }, async (request, reply) => {
    const { title, document, credentials } = REFERENCES[request.params.api];
    const body = html`<div id="reference" data-document="${document}" data-credentials="${credentials.join(' ')}"></div>
<noscript><p>The reference is drawn by a script. The <a href="${document}">OpenAPI document</a> says the same to a program.</p></noscript>
<script src="/docs/reference/scripts/scalar.js"></script>
<script src="/docs/reference/scripts/start.js"></script>`;
    return sendReferencePage(reply, { title, body, path: `/docs/reference/${request.params.api}` });
  });
}
