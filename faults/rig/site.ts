import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { isRunning, MARK, usageOf } from './processes.ts';
import { API_KEY, IPN_SECRET } from './provider.ts';
import { until } from './wait.ts';

interface SiteOptions {
  port: number;
  logFile: string;
  run: string;
  env: Record<string, string>;
}

/** The production server as a separate process that can be suspended, killed and started again. */
export class Site {
  readonly port: number;
  readonly origin: string;
  readonly #options: SiteOptions;
  #child: ChildProcess | undefined;

  constructor(options: SiteOptions) {
    this.#options = options;
    this.port = options.port;
    this.origin = `http://127.0.0.1:${options.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @param more variables for this start only. */
  launch(more: Record<string, string> = {}, nodeOptions: string[] = []): void {
    const { logFile, run, env, port } = this.#options;
    const log = fs.openSync(logFile, 'a');
    const { PATH = '' } = process.env;
    this.#child = spawn(process.execPath, [...nodeOptions, 'build/server/index.js'], {
      // It stops when the channel closes, so it cannot outlive this process.
      stdio: ['ignore', log, log, 'ipc'],
      env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), [MARK]: run, ...env, ...more },
    });
    fs.closeSync(log);
  }

  /** The end of its output. */
  log(): string {
    return fs.existsSync(this.#options.logFile) ? fs.readFileSync(this.#options.logFile, 'utf8').slice(-3_000) : '';
  }

  async ready(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  async start(): Promise<void> {
    this.launch();
    await this.untilReady();
  }

  /** @throws Error with the end of its log when it ends, or is never ready. */
  async untilReady(): Promise<void> {
    await until('the site is ready', async () => {
      if (!this.running) throw new Error(`the site on port ${this.port} ended:\n${this.log()}`);
      return this.ready();
    });
  }

  signal(signal: NodeJS.Signals): void {
    if (this.running) this.#child?.kill(signal);
  }

  /** Waits until it has ended. */
  async gone(max?: number): Promise<void> {
    await until('the site ends', () => !this.running && !isRunning(this.pid), max);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone();
  }

  /** Stops it as an operator does. @returns true when it ended by itself, without a failure and within a minute. */
  async stop(): Promise<boolean> {
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await this.gone(60_000).catch(() => this.kill());
    return this.#child?.exitCode === 0;
  }

  usage() {
    return this.running ? usageOf(this.pid) : null;
  }
}

interface SiteEnvOptions {
  provider: { url: string };
  dataDir: string;
  secret: string;
}

/** Environment of every site of a run, except the addresses of its database and mail server. */
export const siteEnv = ({ provider, dataDir, secret }: SiteEnvOptions) => ({
  DATA_DIR: dataDir,
  AUTH_SECRET: secret,
  ADMIN_SECOND_FACTOR: 'off',
  DEMO: 'off',
  MARKET_DATA: 'off',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: '1',
  NOWPAYMENTS_API_KEY: API_KEY,
  NOWPAYMENTS_IPN_SECRET: IPN_SECRET,
  NOWPAYMENTS_URL: provider.url,
});
