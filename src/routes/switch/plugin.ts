import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getTags } from './get-tags.ts';

const publicEndpoints = [getTags];

/** The tag switch API. */
export const switchPlugin = (resources: Resources) => async (app: ZodApp) => {
  for (const endpoint of publicEndpoints) endpoint(app, resources);
};
