import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Everything that the HTTP server listens to on a connection; the listeners of Node itself concern connections that may not be half open. */
const EVENTS = ['data', 'end', 'error', 'close', 'drain', 'timeout', 'resume', 'pause'];

/** Listeners of a connection without HTTP. */
interface Listeners {
  close: (this: Socket) => void;
  end: (this: Socket) => void;
  error: (this: Socket, error: Error) => void;
}

/**
 * Removes a connection from the HTTP server after its request was received completely, while its response is in progress: request,
 * response and parser take several times the memory of the connection itself, and a stream needs none of them. To the HTTP server
 * the connection appears closed: the response emits `close`, timeouts of requests do not apply any more, and
 * `closeAllConnections` does not close it.
 *
 * @param socket connection of the response, which is the only one in progress there.
 * @param listeners `close` applies from now on, the others once the connection is removed.
 */
export function detachFromHttp(socket: Socket, req: IncomingMessage, res: ServerResponse, listeners: Listeners): void {
  socket.once('close', listeners.close);
  const detach = () => {
    if (socket.destroyed) return;
    // HTTP releases the parser and the response by its own listeners for the end of a connection.
    const closed = socket.listeners('close').filter((listener) => listener !== listeners.close);
    for (const event of EVENTS) socket.removeAllListeners(event);
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    for (const notify of closed) Reflect.apply(notify, socket, [false]);
    res.detachSocket(socket);
    socket.resume();
  };
  // A request that is not complete would count as aborted, and would take the connection with it.
  if (req.readableEnded) detach();
  else req.once('end', detach).resume();
}
