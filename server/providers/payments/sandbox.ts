import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ProviderError } from './port.ts';

export interface SandboxOptions {
  /** Root of the checkout, where emulator/ lies. */
  root: string;
  dataDir: string;
  apiKey: string;
  ipnSecret: string;
  /** Where payers reach its pages through us: https://host/sandbox */
  pageBase: string;
  warn: (about: Record<string, unknown>, message: string) => void;
}

export interface Sandbox {
  /** http://127.0.0.1:port, as soon as it listens. @throws ProviderError when it does not. */
  origin(): Promise<string>;
  /** Whether its process is there. */
  readonly running: boolean;
  stop(): void;
}

/** Longest wait for its port; the pause before it is started again, which doubles while it can't stay. Milliseconds. */
const START_TIMEOUT_MS = 10_000;
const DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;

/**
 * Runs the payment simulation beside us, and starts it again when it ends. It ends with us. It takes as much memory as half
 * of the site, so it starts with the first payment, or at once where there were payments: it has to bring those to their end.
 */
export function startSandbox(options: SandboxOptions): Sandbox {
  let child: ChildProcess | undefined;
  let stopped = false;
  let origin: Promise<string> | undefined;
  let pause = DELAY_MS;

  const stateFile = path.join(options.dataDir, 'emulator/state.json');

  const launch = (): Promise<string> => {
    const launched = new Promise<string>((resolve, reject) => {
      // Nothing of our own environment but what it needs: no secrets of ours.
      const { PATH, NODE_ENV, NOWPAYMENTS_API_KEY } = process.env;
      child = spawn(process.execPath, [path.join(options.root, 'emulator/main.ts')], {
        cwd: options.root,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          ...(PATH ? { PATH } : {}),
          ...(NODE_ENV ? { NODE_ENV } : {}),
          ...(NOWPAYMENTS_API_KEY ? { NOWPAYMENTS_API_KEY } : {}),
          DEMO: 'on',
          EMULATOR_API_KEY: options.apiKey,
          EMULATOR_IPN_SECRET: options.ipnSecret,
          EMULATOR_PAGE_BASE: options.pageBase,
          EMULATOR_FILE: stateFile,
        },
      });
      const timer = setTimeout(
        () => reject(new ProviderError('unknown', 'The simulation does not start')),
        START_TIMEOUT_MS,
      );
      child.once('message', (message) => {
        clearTimeout(timer);
        pause = DELAY_MS;
        resolve((message as { origin: string }).origin);
      });
      child.once('error', (error) =>
        reject(new ProviderError('unknown', 'The simulation does not start', { cause: error })),
      );
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new ProviderError('unknown', 'The simulation has ended'));
        if (stopped) return;
        options.warn({ code }, 'payment simulation ended; it is started again');
        setTimeout(() => stopped || launch(), pause).unref();
        pause = Math.min(2 * pause, MAX_DELAY_MS);
      });
    });
    // Whoever asks is notified of it; nobody has to.
    launched.catch(() => {});
    origin = launched;
    return launched;
  };
  if (existsSync(stateFile)) launch();
  return {
    origin: () => origin ?? launch(),
    get running() {
      return child !== undefined && child.exitCode === null && child.signalCode === null;
    },
    stop() {
      stopped = true;
      child?.kill();
    },
  };
}
