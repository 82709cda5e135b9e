import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Place } from '#server/db/pool.ts';
import type { Replica } from '#server/db/replica.ts';
import { readLastBackup } from '#server/lib/process/last-backup.ts';
import { createDatabaseFigures } from './database-figures.ts';

/** The parts of a process that are measured. */
export interface Measured {
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  /** For queries over a separate connection. */
  config: Place;
  streams: { readonly size: number; readonly max: number };
  pages: { readonly size: number; readonly hits: number; readonly misses: number };
  /** The purger of the cache in front; null without one. */
  purger?: { readonly trusted: boolean; readonly done: number; readonly failed: number } | null;
  /** The replica for reads; null without one. */
  replica?: Pick<Replica, 'state' | 'lagBytes' | 'lagSeconds' | 'reads'> | null;
  dataDir: string;
}

/** Histogram buckets in seconds; from a cached page to a request that waits for a lock. */
const LATENCIES = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Histogram buckets in seconds; from a mail to a clean-up of all images. */
const JOBS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
/** Time limit for all values of one scrape, longer than that of the database's values. Milliseconds. */
const COLLECT_TIMEOUT_MS = 5_000;

/** Values of the database and their descriptions; absent while it cannot be read. */
const OF_DATABASE: Record<string, string> = {
  florka_database_sessions:
    'Connections to this database; of all programs, where the role may read them (pg_read_all_stats)',
  florka_database_lock_waits: 'Sessions that wait for a lock now',
  florka_database_lock_wait_seconds: 'How long the session that waits longest for a lock has waited',
  florka_database_oldest_transaction_seconds: 'Age of the oldest open transaction',
  florka_database_idle_in_transaction: 'Sessions that hold a transaction open and do nothing',
  florka_jobs: 'Background jobs by name and state; waiting counts those that are due',
  florka_job_oldest_waiting_seconds: 'How long the oldest due job of a name has waited',
  florka_payments_waiting: 'Orders whose payment is not settled',
  florka_payments_attention: 'Orders that need a person',
  florka_payments_overdue: 'Orders whose check at the provider is overdue by 30 minutes',
  florka_mails: 'Mails that wait, or were given up',
  florka_vote_months_ahead: 'Months after this one with a partition in the table of votes',
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of this process, in memory; `collect` writes them in the text format of Prometheus. */
export function createMetrics(version: string) {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter('florka');
  const requests = meter.createHistogram('florka_http_request_duration_seconds', {
    description: 'Answered requests by route template, method and class of status; live streams are not in it',
    advice: { explicitBucketBoundaries: LATENCIES },
  });
  const jobs = meter.createHistogram('florka_job_duration_seconds', {
    description: 'Attempts of background jobs',
    advice: { explicitBucketBoundaries: JOBS },
  });
  measureProcess(meter, version);
  // Without scope names, which would be a label of every line.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  return {
    /** @param seconds from the request's arrival to the end of the response. */
    request(route: string, method: string, status: number, seconds: number): void {
      requests.record(seconds, { route, method, status: `${Math.floor(status / 100)}xx` });
    },
    job(name: string, outcome: 'done' | 'failed', seconds: number): void {
      // Not `job`, which Prometheus uses for the scrape target.
      jobs.record(seconds, { job_name: name, outcome });
    },
    /** Adds the metrics of the running site. */
    measure: (measured: Measured) => measureSite(meter, measured),
    /** All current values. Values that cannot be read are missing; never fails because of them. */
    async collect(): Promise<string> {
      const { resourceMetrics } = await exporter.collect({ timeoutMillis: COLLECT_TIMEOUT_MS });
      return serializer.serialize(resourceMetrics);
    },
    close: () => provider.shutdown(),
  };
}

function gauge(
  meter: Meter,
  name: string,
  description: string,
  read: () => number | Promise<number | null> | null,
): void {
  meter.createObservableGauge(name, { description }).addCallback(async (result) => {
    const value = await read();
    if (value !== null) result.observe(value);
  });
}

function measureProcess(meter: Meter, version: string): void {
  meter
    .createObservableGauge('florka_build_info', { description: 'Versions of the program and of Node; always 1' })
    .addCallback((result) => result.observe(1, { version, node: process.version }));
  const started = Date.now() / 1000 - process.uptime();
  gauge(meter, 'process_start_time_seconds', 'When the process began, in seconds since 1970', () => started);
  gauge(meter, 'process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
  gauge(meter, 'florka_heap_used_bytes', 'Live objects of JavaScript', () => process.memoryUsage().heapUsed);
  gauge(meter, 'process_open_fds', 'Open files and sockets; on Linux only', () =>
    readdir('/proc/self/fd').then(
      (names) => names.length,
      () => null,
    ),
  );
  meter.createObservableCounter('process_cpu_seconds', { description: 'Time on a processor' }).addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe((user + system) / 1e6);
  });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  meter
    .createObservableGauge('florka_event_loop_delay_seconds', {
      description: 'How late timers fired since the scrape before',
    })
    .addCallback((result) => {
      for (const quantile of [50, 99, 100]) {
        // Without measurements there is no percentile.
        const value = delay.percentile(quantile) / 1e9;
        if (Number.isFinite(value)) result.observe(value, { quantile: String(quantile / 100) });
      }
      delay.reset();
    });
}

/** Metrics of the purges of the cache in front. */
function measurePurges(meter: Meter, purger: NonNullable<Measured['purger']>): void {
  gauge(meter, 'florka_shared_cache_in_step', 'Whether the cache in front did what it was last asked, 1 or 0', () =>
    purger.trusted ? 1 : 0,
  );
  meter
    .createObservableCounter('florka_shared_cache_purges', {
      description: 'Times the cache in front was asked to forget',
    })
    .addCallback((result) => {
      result.observe(purger.done, { outcome: 'done' });
      result.observe(purger.failed, { outcome: 'failed' });
    });
}

/** Metrics of the replica for reads. */
function measureReplica(meter: Meter, replica: NonNullable<Measured['replica']>): void {
  gauge(meter, 'florka_replica_in_step', 'Whether public reads and reports go to the replica, 1 or 0', () =>
    replica.state === 'in step' ? 1 : 0,
  );
  gauge(
    meter,
    'florka_replica_lag_bytes',
    'Bytes of the write-ahead log that the replica has not replayed',
    () => replica.lagBytes,
  );
  gauge(
    meter,
    'florka_replica_lag_seconds',
    'Age of the oldest change that it has not replayed',
    () => replica.lagSeconds,
  );
  meter
    .createObservableCounter('florka_replica_reads', {
      description: 'Statements that may go to the replica, by where they went',
    })
    .addCallback((result) => {
      result.observe(replica.reads.replica, { source: 'replica' });
      result.observe(replica.reads.primary, { source: 'primary' });
    });
}

function measureSite(meter: Meter, { pool, config, streams, pages, purger, replica, dataDir }: Measured): void {
  if (replica) measureReplica(meter, replica);
  if (purger) measurePurges(meter, purger);
  gauge(meter, 'florka_pool_connections', 'Connections of this process to the database', () => pool.totalCount);
  gauge(meter, 'florka_pool_idle', 'Of these, connections that nobody uses', () => pool.idleCount);
  gauge(meter, 'florka_pool_waiting', 'Requests and jobs that wait for a connection', () => pool.waitingCount);
  gauge(meter, 'florka_live_streams', 'Open live streams', () => streams.size);
  gauge(meter, 'florka_live_streams_max', 'Live streams that this process accepts', () => streams.max);
  gauge(meter, 'florka_page_cache_entries', 'Documents kept in memory', () => pages.size);
  meter
    .createObservableCounter('florka_page_cache_hits', { description: 'Documents answered from memory' })
    .addCallback((result) => result.observe(pages.hits));
  meter
    .createObservableCounter('florka_page_cache_misses', { description: 'Documents that had to be rendered' })
    .addCallback((result) => result.observe(pages.misses));
  gauge(meter, 'florka_last_backup_age_seconds', 'Age of the newest finished backup made by this program', () =>
    ageOfBackup(dataDir),
  );
  const up = meter.createObservableGauge('florka_database_up', {
    description: 'Whether the database answered this scrape in time',
  });
  const gauges = new Map(
    Object.entries(OF_DATABASE).map(([name, description]) => [
      name,
      meter.createObservableGauge(name, { description }),
    ]),
  );
  const read = createDatabaseFigures(config);
  meter.addBatchObservableCallback(
    async (result) => {
      const figures = await read();
      result.observe(up, figures ? 1 : 0);
      for (const [name, instrument] of gauges)
        for (const { labels, value } of figures?.get(name) ?? []) result.observe(instrument, value, labels);
    },
    [up, ...gauges.values()],
  );
}

/** Seconds; null if no backup was ever made. */
async function ageOfBackup(dataDir: string): Promise<number | null> {
  const at = await readLastBackup(dataDir);
  return at === null ? null : Math.max(0, (Date.now() - at.getTime()) / 1000);
}
