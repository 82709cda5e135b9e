import type { Duplex } from 'node:stream';
import pg from 'pg';
import { ConnectionLost } from './failures.ts';

// An answer that the driver cannot read closes its connection. The driver reads answers in a listener of the socket, where what it
// throws ends the process (https://github.com/brianc/node-postgres/issues/2653). A pooler that loses its server in the middle
// of an answer can leave such a one: seen in `ops/ha/drill.sh` with PgBouncer, when the machine of the leader was killed.

/** The part of the driver's connection that its types do not have. */
interface Connection {
  attachListeners: (stream: Duplex) => void;
}
const { prototype } = pg.Connection as unknown as { prototype: Connection };

/** Identified by a symbol: in development this file is loaded twice, and both copies use one driver. */
const MARK = Symbol.for('florka.unreadable-answers');
if (!(MARK in prototype)) {
  const attach = prototype.attachListeners;
  prototype.attachListeners = function (stream) {
    const others = new Set(stream.listeners('data'));
    attach.call(this, stream);
    for (const read of stream.listeners('data')) {
      if (others.has(read)) continue;
      stream.off('data', read as (bytes: Buffer) => void);
      stream.on('data', (bytes: Buffer) => {
        try {
          Reflect.apply(read, stream, [bytes]);
        } catch (error) {
          stream.destroy(new ConnectionLost('an answer of the database could not be read', { cause: error }));
        }
      });
    }
  };
  Object.defineProperty(prototype, MARK, { value: true });
}
