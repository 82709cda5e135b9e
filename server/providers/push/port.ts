/** The way to the push services of browsers. */
export interface PushTransport {
  /** Whether an address belongs to a push service that we know: browsers name the address, and must not send us elsewhere. */
  accepts(endpoint: string): boolean;
  /**
   * Posts an encrypted message.
   *
   * @returns the status, and the seconds of Retry-After. @throws when the service can't be reached in time.
   */
  post(
    endpoint: string,
    headers: Record<string, string>,
    body: Buffer | null,
  ): Promise<{ status: number; retryAfter: number | null }>;
}
