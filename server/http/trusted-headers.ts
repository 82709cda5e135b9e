import type { IncomingMessage } from 'node:http';

/** Sets the client's real address for the API; the adapter builds its headers from rawHeaders, so a forged value must be removed there. */
export function setTrustedHeaders(req: IncomingMessage, address: string, requestId: string): void {
  const raw = req.rawHeaders;
  for (let i = raw.length - 2; i >= 0; i -= 2) {
    const name = raw[i]?.toLowerCase();
    if (name === 'x-client-address' || name === 'x-request-id') raw.splice(i, 2);
  }
  raw.push('x-client-address', address, 'x-request-id', requestId);
  // Both must contain our value, whichever of them the adapter reads.
  req.headers['x-client-address'] = address;
  req.headers['x-request-id'] = requestId;
}
