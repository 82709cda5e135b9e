import dgram from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Response for a name: TXT records in their parts, 'none' (the name exists without one), or no response. */
type Txt = readonly (readonly string[])[] | 'none' | 'silent';

/** A DNS server on loopback (RFC 1035, UDP) that knows TXT records only; other names do not exist. */
export async function startDnsServer() {
  const records = new Map<string, Txt>();
  const queries: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const question = query.subarray(12, at + 5);
    queries.push(name);
    const known = records.get(name);
    if (known === 'silent') return;
    const texts = Array.isArray(known) ? (known as readonly (readonly string[])[]) : [];
    const answers = texts.map((parts) => {
      const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
      const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // Answer, recursion available; 3: no such name.
    header.writeUInt16BE(0x8180 | (known === undefined ? 3 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** Address in the form that resolvers accept. */
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    records,
    /** Requested names, in order. */
    queries: queries,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
