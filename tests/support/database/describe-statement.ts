import { once } from 'node:events';
import type pg from 'pg';

interface Field {
  name: string;
  dataTypeID: number;
}

/** The protocol-level methods of the driver's connection; its types omit most of them. */
interface Wire extends NodeJS.EventEmitter {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** PostgreSQL's description of a statement, without running it. */
export interface Description {
  /** Oids of the types of its parameters. */
  parameters: number[];
  columns: Field[];
}

/**
 * Has a statement prepared and described by the protocol's own messages.
 *
 * @param client a connection of its own, on which nothing else is under way.
 * @throws Error with PostgreSQL's message.
 */
export async function describeStatement(client: pg.Client, text: string): Promise<Description> {
  const wire = (client as unknown as { connection: Wire }).connection;
  const found: Description = { parameters: [], columns: [] };
  let refused: Error | undefined;
  const listeners = {
    parameterDescription: (message: { dataTypeIDs: number[] }) => {
      found.parameters = message.dataTypeIDs;
    },
    rowDescription: (message: { fields: Field[] }) => {
      found.columns = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
    },
    errorMessage: (message: Error) => {
      refused = message;
    },
  };
  // The client's own listeners expect one of its queries.
  const others = ['rowDescription', 'errorMessage', 'parseComplete', 'readyForQuery'].map(
    (event) => [event, wire.listeners(event) as ((...args: unknown[]) => void)[]] as const,
  );
  for (const [event] of others) wire.removeAllListeners(event);
  for (const [event, listener] of Object.entries(listeners)) wire.on(event, listener);
  try {
    const ready = once(wire, 'readyForQuery');
    wire.parse({ text, name: '', types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
    await ready;
  } finally {
    for (const [event, listener] of Object.entries(listeners)) wire.off(event, listener);
    for (const [event, all] of others) for (const listener of all) wire.on(event, listener);
  }
  if (refused) throw refused;
  return found;
}
