import type { FastifyInstance } from 'fastify';

/** Answers given while the server closes say that the connection ends with them: kept alive, they would keep us open too. */
export function hangUpWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing) reply.header('connection', 'close');
    return payload;
  });
}
