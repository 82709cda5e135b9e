import { setSubmissionsOpen } from '#server/domains/submissions/submissions.service.ts';
import { OPERATOR, withDatabase } from './database.ts';

const turn = (open: boolean) => (): Promise<boolean> =>
  withDatabase(async ({ db }) => {
    const changed = await setSubmissionsOpen(db, OPERATOR, open, new Date());
    console.log(`The form for publications is ${open ? 'open' : 'closed'}${changed ? ' now' : ' already'}.`);
    return true;
  });

export const openSubmissions = turn(true);
/** Its page then says that it comes soon; requests that are there stay in the queue. */
export const closeSubmissions = turn(false);
