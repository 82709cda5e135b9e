// Checked before anything is installed, built or written: a start without its port changes nothing.
import { createServer } from 'node:net';

/**
 * The reason why the site could not listen, in one sentence; undefined when it could, and for values that the site itself refuses.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
export function portProblem({ PORT, HOST }) {
  const port = Number(PORT || 3000);
  const host = HOST || '0.0.0.0';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
      if (code === 'EADDRINUSE') resolve(`Port ${port} is in use: stop the other program or set PORT`);
      else if (code === 'EACCES') resolve(`No right to listen on port ${port}: set PORT above 1023`);
      else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        resolve(`HOST ${host} is not an address of this machine`);
      else resolve(undefined);
    });
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
