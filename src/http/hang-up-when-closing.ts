import type { FastifyInstance } from 'fastify';

/** Answers given while the server closes say that the connection ends with them: kept alive, they would keep us open too. */
export function hangUpWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  // With a callback: every answer passes here, and an async hook would cost each of them promises of its own.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}
