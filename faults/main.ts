// `npm run faults`: injects each fault of the list into the running product, and reports what was lost. See docs/faults.md.

import { parseArgs } from 'node:util';
import { measuredOn } from '../scripts/lib/measured-on.ts';
import { isNotificationMailSent } from './checker/consequences.ts';
import { verifyCheckerDetectsDefects } from './checker/verify-checker.ts';
import type { Kind } from './load/journal.ts';
import { Load } from './load/load.ts';
import { FaultRun } from './rig/fault-run.ts';
import { isRunning } from './rig/processes.ts';
import { secondsSince, until } from './rig/wait.ts';
import { runFault, settle } from './run.ts';
import { clockFaults } from './scenarios/clock.ts';
import { databaseFaults } from './scenarios/database.ts';
import { diskFaults } from './scenarios/disk.ts';
import type { Fault, Report, StandaloneFault } from './scenarios/fault.ts';
import { ledgerFaults } from './scenarios/ledger.ts';
import { networkFaults } from './scenarios/network.ts';
import { deliverNow, notificationFaults } from './scenarios/notifications.ts';
import { outsideFaults } from './scenarios/outside.ts';
import { processFaults } from './scenarios/processes.ts';
import { startFaults } from './scenarios/starts.ts';
import { FILE, faultsOf, MAX_RECOVERY, type Row, tableOf, writeTable } from './table.ts';

const FAULTS: (Fault | StandaloneFault)[] = [
  ...processFaults,
  ...ledgerFaults,
  ...notificationFaults,
  ...databaseFaults,
  ...diskFaults,
  ...networkFaults,
  ...clockFaults,
  ...outsideFaults,
  ...startFaults,
];

const USAGE = `Usage: npm run faults -- [--short] [--only name,name] [--repetitions N] [--write]

  --short   the form that npm test runs: a few faults and repetitions; times are printed and have no effect
  --only    these faults: ${FAULTS.map(({ name }) => name).join(', ')}
  --repetitions   number of repetitions of each
  --write   writes each row into the table of docs/faults.md as soon as it is known; the others stay`;

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string' },
        repetitions: { type: 'string' },
        write: { type: 'boolean', default: false },
      },
    });
    const only = values.only?.split(',');
    const unknown = only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
    if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}`);
    const repetitions = values.repetitions === undefined ? undefined : Number(values.repetitions);
    if (repetitions !== undefined && !(Number.isInteger(repetitions) && repetitions > 0))
      throw new Error('--repetitions needs a number');
    return { short: values.short, write: values.write, only, repetitions };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const options = optionsOf();
const log = (text: string) => console.log(text);

/** The rows that must exist before a defect can be planted in them. */
const KINDS: Kind[] = ['vote', 'unvote', 'ban', 'comment', 'payment', 'admin'];

/** True when the checker finds every planted defect. */
async function proveChecker(faultRun: FaultRun): Promise<boolean> {
  const environment = await faultRun.createEnvironment(1);
  const load = new Load(environment);
  try {
    await environment.sites[0]?.start();
    load.start();
    const did = (kind: Kind) => load.journal.of(kind).some(({ ending }) => ending === 'ok');
    await until('something of everything was done', () => load.journal.acknowledged >= 60 && KINDS.every(did));
    await load.stop();
    await settle(environment, load.journal);
    await deliverNow(environment);
    await until('a mail of a notification was sent', () => isNotificationMailSent(environment));
    const { planted, missed } = await verifyCheckerDetectsDefects(environment, load);
    log(
      `checker: ${planted - missed.length} of ${planted} planted defects found${missed.map((one) => `\n  !! ${one}`).join('')}`,
    );
    return missed.length === 0;
  } finally {
    await load.stop();
    await environment.close();
  }
}

const NOTHING: Report = { acknowledged: 0, lost: [], doubled: [], wrong: [], recovery: [], seen: '' };

async function runOne(faultRun: FaultRun, fault: Fault | StandaloneFault, repetitions: number): Promise<Row> {
  const { title } = fault;
  const skipped = 'inject' in fault ? await fault.impossible?.() : null;
  if (skipped) return { title, repetitions: 0, ...NOTHING, skipped };
  let report: Report;
  try {
    report = await ('inject' in fault ? runFault(faultRun, fault, repetitions) : fault.run(faultRun, repetitions));
  } catch (error) {
    report = { ...NOTHING, wrong: [(error as Error).message], seen: 'the fault could not be carried through' };
  }
  await until('every process of the run has ended', () => faultRun.leftovers().length === 0, 30_000).catch(() => {});
  for (const pid of faultRun.leftovers()) {
    report.wrong.push(`process ${pid} was left over`);
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
  return { title, repetitions, ...report };
}

async function main(): Promise<boolean> {
  const { short, only, repetitions } = options;
  const chosen = FAULTS.filter(({ name, short: inShort }) => (only ? only.includes(name) : !short || inShort > 0));
  const faultRun = await FaultRun.open();
  const rows: Row[] = [];
  let good = false;
  try {
    good = await proveChecker(faultRun);
    for (const fault of chosen) {
      const began = performance.now();
      const row = await runOne(faultRun, fault, repetitions ?? (short ? fault.short : fault.repetitions));
      rows.push(row);
      if (options.write)
        writeTable(
          [row],
          measuredOn(FILE),
          FAULTS.map(({ title }) => title),
        );
      const bad = faultsOf(row);
      const slow = row.recovery.filter((seconds) => seconds > MAX_RECOVERY);
      if (bad.length > 0 || (slow.length > 0 && !short)) good = false;
      log(
        `${bad.length > 0 ? '✗' : row.skipped ? '-' : '✓'} ${fault.name.padEnd(14)} ${secondsSince(began)} s; ${row.skipped ?? row.seen}`,
      );
      for (const line of bad.slice(0, 20)) log(`  !! ${line}`);
      if (bad.length > 20) log(`  !! and ${bad.length - 20} more`);
      if (slow.length > 0)
        log(`  note: ${slow.length} recoveries took longer than ${MAX_RECOVERY} s: ${slow.join(', ')}`);
    }
  } finally {
    await faultRun.close(!good);
  }
  log(`\n${tableOf(rows, measuredOn(FILE))}\n`);
  log(good ? 'Nothing was lost, nothing was doubled.' : 'Something was lost, doubled, wrong or slow; see above.');
  return good;
}

process.exitCode = (await main()) ? 0 : 1;
