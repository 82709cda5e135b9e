import { checkTokenFiles } from '#server/domains/token-creation/readings.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Checks the pinned files of tokens again that were last checked a day ago or earlier. */
export const checkTokenFilesJob: Handler<'check-token-files'> = async (
  _input,
  { services: { db, media, now }, log },
) => {
  const done = await checkTokenFiles(db, media, now());
  if (done.read > 0) log.info(done, 'pinned files of tokens checked');
};
