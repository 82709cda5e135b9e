import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  raw: string;
  parsed: Email;
}

/** Decides about one mail: a failure with an SMTP code, or null to accept it. 'hang' never responds. */
type Verdict = (received: Received) => { responseCode: number; message: string } | 'hang' | undefined;

/** An SMTP server on loopback that stores accepted mails. */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const tried: Received[] = [];
  const box: { verdict: Verdict } = { verdict: () => undefined };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer);
      } catch {
        // The sender disconnected meanwhile.
        return;
      }
      const raw = Buffer.concat(chunks).toString('latin1');
      const mail: Received = {
        from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        to: session.envelope.rcptTo.map((to) => to.address),
        raw,
        parsed: await PostalMime.parse(Buffer.concat(chunks)),
      };
      tried.push(mail);
      const verdict = box.verdict(mail);
      if (verdict === 'hang') return;
      if (verdict) return done(Object.assign(new Error(verdict.message), { responseCode: verdict.responseCode }));
      received.push(mail);
      done();
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    /** Every submitted mail, accepted or not. */
    tried,
    box,
    url: (credentials = '') => `smtp://${credentials}127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
