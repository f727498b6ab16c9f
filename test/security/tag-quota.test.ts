import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newApplication, newToken } from '../support/application.ts';
import { another, createTag, newSubject } from '../support/tags.ts';

const MAX = 5;
const DAY_MS = 24 * 3_600_000;
const server = useApp({ APPLICATION_TAGS_MAX: String(MAX) });

describe('an application that takes handle after handle', () => {
  it('V2.4.1: gets its quota and no more, of fifty at once too, and nothing by closing what it has, for 90 days', async () => {
    const application = await newApplication(server);
    const subjectId = await newSubject(server, application);
    const handles = Array.from({ length: 50 }, () => another('squat'));
    const make = (tagString: string, by = application) => createTag(server, by, { tagString, subjectId });
    const answers = await Promise.all(handles.map((tagString) => make(tagString)));
    const made = handles.filter((_, n) => answers[n]?.statusCode === 201);
    expect(made).toHaveLength(MAX);
    const refused = answers.find(({ statusCode }) => statusCode !== 201);
    expect([refused?.statusCode, refused?.json().errorCode]).toEqual([403, 'TAG_QUOTA_EXCEEDED']);

    const { headers } = application;
    expect((await server.call('DELETE', `/api/v1/tags/${made[0]}`, { headers })).statusCode).toBe(200);
    expect((await make(another('squat'))).statusCode).toBe(403);
    server.clock.advance(90 * DAY_MS);
    const later = { ...application, headers: await newToken(server, application) };
    expect((await make(another('squat'), later)).statusCode).toBe(201);
    expect((await make(another('squat'), later)).statusCode).toBe(403);
  });

  it('V2.4.1: leaves the quota of others alone', async () => {
    const application = await newApplication(server);
    const subjectId = await newSubject(server, application);
    expect((await createTag(server, application, { tagString: another('mine'), subjectId })).statusCode).toBe(201);
  });
});
