import cluster from 'node:cluster';

/** Runs the server in two processes behind one port, with the environment that it is given. */
cluster.setupPrimary({ exec: 'src/start.js' });
for (let count = 0; count < 2; count++) cluster.fork();
process.on('SIGTERM', () => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
});
