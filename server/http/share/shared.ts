/** What a link to us looks like elsewhere: images for previews, badges for other sites, lists for search engines. */
export interface SharedDocument {
  type: string;
  body: Buffer;
  etag: string;
  /** Seconds that others may keep it. */
  maxAge: number;
  /** A page for frames: its links open outside of them. */
  framed?: boolean;
}

/** There is nothing to show for this address. */
export class Nothing extends Error {}
/** It is shown at another address. */
export class Moved extends Error {
  readonly path: string;
  constructor(path: string) {
    super(path);
    this.path = path;
  }
}
/** It can't be made now. */
export class ShareUnavailable extends Error {}

/** Reads from our own API as a visitor. @throws Nothing, ShareUnavailable */
export type Read = <T>(path: string) => Promise<T>;
