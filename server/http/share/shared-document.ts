/** Content that other sites show for a link to the site: preview images, badges, and lists for search engines. */
export interface SharedDocument {
  type: string;
  body: Buffer;
  etag: string;
  /** Seconds for which others may cache it. */
  maxAge: number;
  /** A page for frames: its links open outside of them. */
  framed?: boolean;
}

/** Thrown when there is no document for this path. */
export class ShareNotFound extends Error {}
/** Thrown when the document has another path. */
export class ShareMoved extends Error {
  readonly path: string;
  constructor(path: string) {
    super(path);
    this.path = path;
  }
}
/** Thrown when the document can't be produced now. */
export class ShareUnavailable extends Error {}

/** Reads the API as an anonymous visitor. @throws ShareNotFound, ShareUnavailable */
export type Read = <T>(path: string) => Promise<T>;
