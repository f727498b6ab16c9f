import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { moveTag, newTag } from '../../support/tags.ts';

const server = useApp();
const restore = (tag: string, body?: object) => moveTag(server, tag, 'restore', body);
const ownedTag = async () => newTag(server, await newApplication(server));
const auditOfTag = async (tag: string) => auditOf(server, (await server.operate('GET', `/tags/${tag}`)).json().id);

describe('200', () => {
  it('gives it back to its owner, and is audited with its reason', async () => {
    const tag = await ownedTag();
    const before = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
    await moveTag(server, tag, 'suspend');
    const answer = await restore(tag, { reason: 'settled' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'ACTIVE' });
    expect((await server.call('GET', `/api/v1/tags/${tag}`)).json().data).toEqual(before);
    expect((await auditOfTag(tag)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'tag.restore',
      before: { status: 'SUSPENDED', handle: tag },
      after: { status: 'ACTIVE' },
      reason: 'settled',
    });
  });
});
