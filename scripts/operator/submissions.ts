import { setSubmissionsOpen } from '#server/domains/submissions/submissions.service.ts';
import { OPERATOR, withDatabase } from './database.ts';

const changeState = (open: boolean) => (): Promise<boolean> =>
  withDatabase(async ({ db }) => {
    const changed = await setSubmissionsOpen(db, OPERATOR, open, new Date());
    console.log(`The form for publications is ${open ? 'open' : 'closed'}${changed ? ' now' : ' already'}.`);
    return true;
  });

export const openSubmissions = changeState(true);
/** The page then shows that it opens soon; existing requests stay in the queue. */
export const closeSubmissions = changeState(false);
