import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { qrPng } from '#lib/qr-code.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { resolveTag } from '#modules/consent';
import { publicLink } from '#modules/tags';
import { refuseTag } from './get-p.ts';

type Deps = DepsOf<typeof resolveTag> & { publicUrl: string };

/** The QR code of a tag as a picture to save. It counts as a look-up, as its page does. */
export function getPQrPng(app: ZodApp, deps: Deps): void {
  const schema = { hide: true, params: z.object({ tag: z.string() }) };
  app.get('/p/:tag/qr.png', { errorHandler: refuseTag, schema }, async (request, reply) => {
    const from = addressBlock(request.ip);
    deps.resolveLimit.take(from);
    const found = await resolveTag(deps, { address: request.params.tag, caller: undefined, from });
    if (found.own !== undefined || found.shown.status !== 'ACTIVE') {
      throw new DomainError('TAG_NOT_FOUND', 'a tag that is suspended has no code');
    }
    const { handle } = found.shown;
    return reply
      .type('image/png')
      .header('content-disposition', `attachment; filename="${handle}.png"`)
      .header('x-robots-tag', 'noindex, nofollow')
      .send(Buffer.from(qrPng(publicLink(handle, deps.publicUrl)), 'base64'));
  });
}
