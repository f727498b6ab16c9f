import { loadEnvFile } from 'node:process';

// `npm start`, `npm run dev`, `npm run tour` and `npm run paytag` read `.env` in this folder by `--import` of this file; containers
// and tests start the programs without it. What the environment already has, an empty variable included, stays as it is. It is
// no flag of Node, for that one says each time that there is no such file.
try {
  loadEnvFile('.env');
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ENOENT') {
    process.stderr.write(`.env cannot be read: ${message}\n`);
    process.exit(1);
  }
}
