import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeTagStatus } from '#modules/tag-lifecycle';
import { tagParams } from '#wire/tag.ts';
import { reason } from '#wire/text.ts';
import { tagShape, toTag } from './shapes/tag.ts';

const body = z.object({ reason });

/** The schema of every change of a tag's status. */
export const tagAction = {
  params: tagParams,
  body,
  response: { 200: tagShape, ...failuresFor(400, 401, 404, 409) },
};

interface TagActionRequest {
  params: z.output<typeof tagParams>;
  body: z.output<typeof body>;
  credential: string;
}

/** Changes the status of the tag that a request names, and answers the tag as it is then. */
export async function runTagAction(
  deps: DepsOf<typeof changeTagStatus>,
  action: Parameters<typeof changeTagStatus>[1]['action'],
  request: TagActionRequest,
): Promise<z.input<typeof tagShape>> {
  const change = { ...request.body, address: request.params.tag, action, actor: request.credential };
  return toTag(await changeTagStatus(deps, change));
}
