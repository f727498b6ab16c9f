import { sendNotices } from '#modules/notices';
import type { TextMessage } from '../../src/providers/messaging/port.ts';
import type { TestApp } from './app.ts';

/** Sends what is due, and resolves to what was sent then. @param fail what the provider throws, if it does */
export async function sentNotices(server: TestApp, fail?: Error): Promise<TextMessage[]> {
  const sent: TextMessage[] = [];
  const texts = {
    async sendText(message: TextMessage) {
      if (fail !== undefined) throw fail;
      sent.push(message);
    },
  };
  await sendNotices({ ...server.resources, texts });
  return sent;
}
