import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { documentUrls, operationsOf, readDocument } from '../../support/described.ts';

const server = useSharedApp();

it('the operations without credentials are these, and no other', async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const operations = documents.flatMap(operationsOf);
  const open = operations.filter(({ operation }) => (operation.security ?? []).length === 0);
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /api/v1/consent/{consentToken}',
    'GET /api/v1/federation/{approvalToken}',
    'POST /api/v1/applications',
    'POST /api/v1/auth/token',
    'POST /v2/sandbox/hooks/{mode}/{key}',
  ]);
});
