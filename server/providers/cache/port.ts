/** A shared cache in front of the site, or a CDN, that forgets answers by the tags they carry. */
export interface CachePurge {
  /** Where it is, without a secret; for the log and the doctor. */
  readonly target: string;
  /**
   * Makes it forget every answer that carries one of these tags; asking twice is harmless.
   *
   * @throws Error when one of its addresses did not say that it did.
   */
  purge(tags: readonly string[]): Promise<void>;
}
