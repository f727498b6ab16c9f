import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveTag, newTag } from '../../support/tags.ts';

const server = useApp();
const close = (tag: string, body?: object) => moveTag(server, tag, 'close', body);
const ownedTag = async () => newTag(server, await newApplication(server));
const auditOfTag = async (tag: string) => auditOf(server, (await server.operate('GET', `/tags/${tag}`)).json().id);

describe('200', () => {
  it.each([
    [[], 'ACTIVE'],
    [['suspend'], 'SUSPENDED'],
  ] as const)('after %j it is gone for everybody, and audited with its reason', async (moves, status) => {
    const tag = await ownedTag();
    for (const what of moves) await moveTag(server, tag, what);
    const answer = await close(tag, { reason: 'its owner is gone' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'CLOSED', closedAt: expect.any(String) });
    expect(refusalOf(await server.call('GET', `/api/v1/tags/${tag}`))).toEqual([404, 'TAG_NOT_FOUND']);
    expect((await auditOfTag(tag)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'tag.close',
      before: { status, handle: tag },
      after: { status: 'CLOSED' },
      reason: 'its owner is gone',
    });
  });
});
