import type pg from 'pg';
import { isLedgerUnproven, setPaused } from '#server/db/installation.ts';
import { readTableExists } from '#server/doctor/doctor.sql.ts';
import { jobs } from '#server/jobs/catalog.ts';
import { audit } from '#server/lib/audit.ts';
import { OPERATOR, statementsOf, withDatabase } from './database.ts';
import { forgetWaitingJobs } from './installation.sql.ts';

const changeState = (paused: boolean) => (): Promise<boolean> =>
  withDatabase(async ({ db, pool }) => {
    const action = paused ? 'installation.paused' : 'installation.resumed';
    const changed = await db.transaction(async (tx) => {
      const statements = statementsOf(tx);
      if (!(await setPaused(statements, paused, new Date()))) return false;
      await audit(tx, OPERATOR, { action, resourceType: 'system' });
      // In the same transaction: a site that runs begins with its jobs as soon as it is resumed.
      if (!paused) await forgetRegularJobs(statements);
      return true;
    });
    if (!changed) console.log(paused ? 'This installation is paused already.' : 'This installation is not paused.');
    else if (paused)
      console.log(
        'Paused: no payment is created, and the signer begins nothing; what it is working through it finishes (stop it, if\n' +
          'nothing may be signed). Restart the site, so that its jobs, its mails and payments whose page is open wait too.\n' +
          'The vote ledger stays paused after resume, until florka ledger accept gets the last published checkpoint.',
      );
    else {
      console.log('Resumed: a running site continues mails, jobs and payments within a few seconds.');
      if (await isLedgerUnproven(pool))
        console.log(
          'The vote ledger stays paused until it gets the last published checkpoint: npm run florka -- ledger accept <file>',
        );
    }
    return true;
  });

/** Removes regular jobs that accumulated meanwhile: they run again within a minute or hour. */
async function forgetRegularJobs(client: pg.PoolClient): Promise<void> {
  const [queue] = await readTableExists(client, { name: 'jobs.job' });
  const regular = Object.entries(jobs).flatMap(([name, job]) => ('cron' in job ? [name] : []));
  if (queue?.there) await forgetWaitingJobs(client, { names: regular });
}

/** For use before the first start of a copy that the site cannot recognise as one. */
export const pauseInstallation = changeState(true);
/** Resumes a restored copy: mails, jobs, payments, signer. */
export const resumeInstallation = changeState(false);
