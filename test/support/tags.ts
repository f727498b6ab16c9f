import type { Answer, TestApp } from './app.ts';
import type { TestApplication } from './application.ts';

let made = 0;

/** A name that nothing else of this test file has. */
export const another = (what: string): string => `${what}${String(++made).padStart(4, '0')}`;

/** `POST /v1/subjects`. Resolves to the new subject's id. */
export async function newSubject(server: TestApp, application: TestApplication, given: object = {}): Promise<string> {
  const payload = { externalId: another('subject-'), ...given };
  const answer = await server.call('POST', '/api/v1/subjects', { headers: application.headers, payload });
  return answer.json<{ data: { id: string } }>().data.id;
}

/** `POST /v1/tags`. */
export function createTag(server: TestApp, { headers }: TestApplication, payload: object): Promise<Answer> {
  return server.call('POST', '/api/v1/tags', { headers, payload });
}

/** A new tag of a new subject of this application. Resolves to its handle. */
export async function newTag(server: TestApp, application: TestApplication): Promise<string> {
  const tagString = another('tag');
  await createTag(server, application, { tagString, subjectId: await newSubject(server, application) });
  return tagString;
}

/** `POST /operator/v1/tags/{tag}/suspend`, `/restore` or `/close`. */
export const moveTag = (
  server: TestApp,
  tag: string,
  what: 'suspend' | 'restore' | 'close',
  body: object = { reason: `to ${what} it` },
): Promise<Answer> => server.operate('POST', `/tags/${tag}/${what}`, body);
