import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ProviderError } from './port.ts';

export interface EmulatorProcessOptions {
  /** Root of the checkout, which contains emulator/. */
  root: string;
  dataDir: string;
  apiKey: string;
  ipnSecret: string;
  /** Public URL of its pages, proxied by the site: https://host/sandbox */
  pageBase: string;
  warn: (about: Record<string, unknown>, message: string) => void;
}

export interface EmulatorProcess {
  /** http://127.0.0.1:port, once it listens. @throws ProviderError when it does not. */
  origin(): Promise<string>;
  /** False until its first payment: it has no deposits then. */
  readonly used: boolean;
  /** True while its process runs. */
  readonly running: boolean;
  /** Ends it. */
  stop(): void;
}

/** Timeout of its start; delay before it is restarted, and the maximum to which the delay doubles. Milliseconds. */
const START_TIMEOUT_MS = 10_000;
const DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;

/**
 * Runs the emulator of the payment provider as a child process, and restarts it when it ends. It ends with this process. It takes
 * half as much memory as the site, so it is started with the first payment, or at once if there were payments, which it
 * has to complete.
 */
export function startEmulatorProcess(options: EmulatorProcessOptions): EmulatorProcess {
  let child: ChildProcess | undefined;
  let stopped = false;
  let origin: Promise<string> | undefined;
  let pause = DELAY_MS;

  const stateFile = path.join(options.dataDir, 'emulator/state.json');

  const launch = (): Promise<string> => {
    const launched = new Promise<string>((resolve, reject) => {
      // Only the required variables are passed: none of our secrets.
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
        options.warn({ code }, 'payment simulation ended and is restarted');
        setTimeout(() => stopped || launch(), pause).unref();
        pause = Math.min(2 * pause, MAX_DELAY_MS);
      });
    });
    // Callers of origin() receive the error; it is not unhandled without one.
    launched.catch(() => {});
    origin = launched;
    return launched;
  };
  if (existsSync(stateFile)) launch();
  return {
    origin: () => origin ?? launch(),
    get used() {
      return origin !== undefined;
    },
    get running() {
      return child !== undefined && child.exitCode === null && child.signalCode === null;
    },
    stop() {
      stopped = true;
      if (child?.connected) child.disconnect();
    },
  };
}
