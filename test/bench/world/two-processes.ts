import cluster from 'node:cluster';

/** Runs the server in PROCESSES processes behind one port, with the environment that it is given. */
cluster.setupPrimary({ exec: 'src/server.ts' });
for (let count = 0; count < Number(process.env['PROCESSES']); count++) cluster.fork();
process.on('SIGTERM', () => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
});
