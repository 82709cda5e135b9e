import { isIP } from 'node:net';

/** The relying party of passkeys: browsers bind them to this domain, and check the origin. */
export interface PasskeySite {
  rpID: string;
  origin: string;
}

/** The relying party of this site; null where browsers do not support passkeys: a host without a domain, or no https. */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || hostname === 'localhost' ? { rpID: hostname, origin } : null;
}
