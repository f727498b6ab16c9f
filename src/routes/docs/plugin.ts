import type { ZodApp } from '#http/zod-app.ts';
import type { Brand } from '#lib/brand.ts';
import { docsLookOf } from './docs-page.ts';
import { getDocs } from './get-docs.ts';
import { getDocsByGuide } from './get-docs-by-guide.ts';
import { getDocsDecisions } from './get-docs-decisions.ts';
import { getDocsOperate } from './get-docs-operate.ts';
import { getDocsReference } from './get-docs-reference.ts';
import { getDocsReferenceScripts } from './get-docs-reference-scripts.ts';

const endpoints = [
  getDocs,
  getDocsByGuide,
  getDocsOperate,
  getDocsDecisions,
  getDocsReference,
  getDocsReferenceScripts,
];

/** What a developer reads: the guides, and the reference of the two public APIs. */
export const docsPlugin =
  ({ brand }: { brand: Brand }) =>
  async (app: ZodApp) => {
    app.decorate('docsLook', docsLookOf(brand));
    for (const endpoint of endpoints) endpoint(app);
  };
