/** Sends encrypted messages to browsers through their push services. */
export interface PushService {
  /** Public key for subscriptions (base64url): derived from the server's secret, the same in every process. */
  publicKey: string;
  /** True when an address belongs to a supported push service. */
  accepts(endpoint: string): boolean;
  /**
   * Encrypts a message for one browser and sends it to its push service.
   *
   * @param message.topic a message replaces an undelivered one of the same topic.
   * @returns 'gone' when the subscription has ended; 'later' with the seconds to wait, if the service reports them.
   */
  send(
    browser: { endpoint: string; p256dh: string; auth: string },
    message: { text: string; topic: string },
  ): Promise<'sent' | 'gone' | 'refused' | { later: number | null }>;
}
