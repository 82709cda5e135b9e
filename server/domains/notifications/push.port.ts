/** Sends encrypted messages to browsers through their push services. */
export interface PushService {
  /** What a browser subscribes with (base64url): derived from the server's secret, the same in every process. */
  publicKey: string;
  /** Whether an address belongs to a push service that we know. */
  accepts(endpoint: string): boolean;
  /**
   * Encrypts a message for one browser and hands it to its service.
   *
   * @param message.topic a message of the same topic replaces one that was not delivered yet.
   * @returns 'gone' when the browser wants no more; 'later' with the seconds to wait, if the service names them.
   */
  send(
    browser: { endpoint: string; p256dh: string; auth: string },
    message: { text: string; topic: string },
  ): Promise<'sent' | 'gone' | 'refused' | { later: number | null }>;
}
