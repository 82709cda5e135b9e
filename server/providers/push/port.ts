/** Transport to the push services of browsers. */
export interface PushTransport {
  /**
   * True if a URL belongs to a known push service: clients supply the URL, and must not make the server contact other
   * hosts.
   */
  accepts(endpoint: string): boolean;
  /**
   * Posts an encrypted message.
   *
   * @returns the status, and the seconds of Retry-After, a day at most. @throws Error when the service cannot be
   *   reached within 10 seconds.
   */
  post(
    endpoint: string,
    headers: Record<string, string>,
    body: Buffer | null,
  ): Promise<{ status: number; retryAfter: number | null }>;
}
