import type { Server } from 'node:http';
import { StartError } from '#server/lib/errors/start-error.ts';

/**
 * Connections that may wait to be accepted; the system may allow fewer (net.core.somaxconn). After a restart all open screens
 * reconnect at once, and those that do not fit try again only after a second.
 */
const BACKLOG = 4_096;

/**
 * Opens the port.
 *
 * @returns the port, which the system chooses for 0.
 * @throws StartError when the port is in use or not permitted, or the host is not an address of this machine.
 */
export async function listen(server: Server, { PORT, HOST }: { PORT: number; HOST: string }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartError(`Port ${PORT} is in use: stop the other program or set PORT.`));
      else if (error.code === 'EACCES')
        reject(new StartError(`No right to listen on port ${PORT}: set PORT above 1023.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StartError(`HOST ${HOST} is not an address of this machine.`));
      else reject(error);
    });
    server.listen({ port: PORT, host: HOST, backlog: BACKLOG }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : PORT;
}
