import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { reason } from '#wire/text.ts';
import { applicationParams, applicationShape, toApplication } from './shapes/application.ts';

/** The schema of every change of an application's status. */
export const applicationAction = {
  params: applicationParams,
  body: z.object({ reason }),
  response: { 200: applicationShape, ...failuresFor(400, 401, 404, 409) },
};

interface ApplicationActionRequest {
  params: z.output<typeof applicationParams>;
  body?: { reason?: string | undefined } | null | undefined;
  credential: string;
}

/** Changes the status of the application that a request names, and answers the application as it is then. */
export async function runApplicationAction(
  deps: DepsOf<typeof changeApplicationStatus>,
  action: Parameters<typeof changeApplicationStatus>[1]['action'],
  request: ApplicationActionRequest,
): Promise<z.input<typeof applicationShape>> {
  const change = { ...request.body, id: request.params.id, action, actor: request.credential };
  return toApplication(await changeApplicationStatus(deps, change));
}
