import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSmtp } from '#tests/support/services/smtp.ts';
import { APP, Cluster, OWNER } from './cluster.ts';
import { markedBy } from './processes.ts';
import { type Provider, startProvider } from './provider.ts';
import { startProxy, type TcpProxy } from './proxy.ts';
import { makeTemplate, type SeedData } from './seed.ts';
import { Site, siteEnv } from './site.ts';

/** The sites' ports begin here; FAULTS_PORT moves them. */
const FIRST_PORT = Number(process.env['FAULTS_PORT'] ?? 3_900);
const TEMPLATE = 'faults_template';

/** The database and external services of one fault, and the sites that use them. */
export interface FaultEnvironment {
  database: string;
  secret: string;
  seed: SeedData;
  cluster: Cluster;
  /** Proxy between the sites and the database. */
  databaseProxy: TcpProxy;
  provider: Provider;
  /** Proxy between the sites and the mail server. */
  mailProxy: TcpProxy;
  mails: Awaited<ReturnType<typeof startSmtp>>;
  sites: Site[];
  /** Folder of uploaded files. */
  dataDir: string;
  close(): Promise<void>;
}

/** One run of faults: a temporary folder, one cluster, and a filled database that is copied for the environment of each fault. */
export class FaultRun {
  readonly id = randomBytes(6).toString('hex');
  readonly dir: string;
  readonly cluster: Cluster;
  readonly #seed: SeedData;
  #environments = 0;

  private constructor(dir: string, cluster: Cluster, seed: SeedData) {
    this.dir = dir;
    this.cluster = cluster;
    this.#seed = seed;
  }

  static async open(): Promise<FaultRun> {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-faults-'));
    // Started by root, PostgreSQL runs under another account, which must be able to enter.
    fs.chmodSync(dir, 0o755);
    try {
      const cluster = await Cluster.open(path.join(dir, 'database'), ['max_wal_size=256MB']);
      return new FaultRun(dir, cluster, await makeTemplate(cluster, TEMPLATE));
    } catch (error) {
      fs.rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Creates a site outside of an environment, without starting it. */
  site(name: string, port: number, env: Record<string, string>): Site {
    return new Site({ port: FIRST_PORT + port, logFile: path.join(this.dir, `${name}.log`), run: this.id, env });
  }

  folder(name: string): string {
    const dir = path.join(this.dir, name);
    fs.mkdirSync(dir, { recursive: true });
    fs.chmodSync(dir, 0o755);
    return dir;
  }

  /** @param count how many sites share the database. @param cluster another one than that of the run, with nothing in it. */
  async createEnvironment(count: number, cluster?: Cluster): Promise<FaultEnvironment> {
    const name = `faults_${++this.#environments}`;
    const home = cluster ?? this.cluster;
    let seed = this.#seed;
    if (cluster) seed = await makeTemplate(cluster, name);
    else {
      await home.run('postgres', [`create database ${name} owner ${OWNER} template ${TEMPLATE}`]);
      // The values of a copied sequence are not in the log of the database: after a crash it would hand them out again,
      // so each is set anew. Only this run copies databases; installations do not.
      await home.run(name, [
        `do $$ declare one record; begin
           for one in select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, start_value) as at,
             last_value is not null as called from pg_sequences
           loop perform setval(one.name, one.at, one.called); end loop; end $$`,
      ]);
    }
    const dataDir = this.folder(name);
    const secret = randomBytes(32).toString('hex');
    const databaseProxy = await startProxy({ path: home.socket });
    const provider = await startProvider();
    const mails = await startSmtp();
    const mailProxy = await startProxy({ port: Number(new URL(mails.url()).port), host: '127.0.0.1' });
    const env = {
      PUBLIC_URL: `http://127.0.0.1:${FIRST_PORT}`,
      ...siteEnv({ provider, dataDir, secret }),
      DATABASE_URL: `postgres://${APP}@127.0.0.1:${databaseProxy.port}/${name}`,
      DATABASE_MIGRATE_URL: `postgres://${OWNER}@127.0.0.1:${databaseProxy.port}/${name}`,
      NOWPAYMENTS_EMAIL: 'shop@faults.example',
      NOWPAYMENTS_PASSWORD: 'of-the-simulation',
      SMTP_URL: `smtp://127.0.0.1:${mailProxy.port}`,
    };
    const sites = Array.from({ length: count }, (_, at) => this.site(`${name}-site-${at}`, at, env));
    return {
      database: name,
      secret,
      seed,
      cluster: home,
      databaseProxy,
      provider,
      mailProxy,
      mails,
      sites,
      dataDir,
      async close() {
        await Promise.allSettled(sites.map((site) => site.stop()));
        await Promise.allSettled([databaseProxy.close(), mailProxy.close(), provider.close(), mails.close()]);
      },
    };
  }

  /** Processes of this run that are still running. */
  leftovers(): number[] {
    return markedBy(this.id);
  }

  /** @param keep true to keep the logs for the analysis of a failure. */
  async close(keep: boolean): Promise<void> {
    await this.cluster.close();
    if (keep) console.error(`[faults] logs are in ${this.dir}`);
    else fs.rmSync(this.dir, { recursive: true, force: true });
  }
}
