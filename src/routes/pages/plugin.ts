import { neverStore } from '../../http/never-store.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getStatement } from './get-statement.ts';

const endpoints = [getStatement];

/** What people open in a browser. */
export const pagesPlugin = (resources: Resources) => async (app: ZodApp) => {
  neverStore(app);
  for (const endpoint of endpoints) endpoint(app, resources);
};
