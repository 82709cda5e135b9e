import { isIP } from 'node:net';

/** Who asks for passkeys: browsers bind them to this name, and check the origin. */
export interface PasskeySite {
  rpID: string;
  origin: string;
}

/** What passkeys of this site are bound to; null where browsers allow none: an address without a name, or no https. */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || hostname === 'localhost' ? { rpID: hostname, origin } : null;
}
