import Fastify from 'fastify';

// The least that a Fastify server is: one route, no database. JavaScript, so that no compiler is loaded for it.
const app = Fastify();
app.get('/health/ready', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
