/** A shared cache in front of the site, or a CDN, that supports purging responses by their tags. */
export interface CachePurge {
  /** Its address without secrets, for the log and the doctor. */
  readonly target: string;
  /**
   * Invalidates all responses with one of these tags; idempotent.
   *
   * @throws Error when one of its addresses did not confirm the purge.
   */
  purge(tags: readonly string[]): Promise<void>;
}
