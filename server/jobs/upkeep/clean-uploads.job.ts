import type { Handler } from '#server/jobs/handler.ts';

/**
 * Deletes unused images and unreferenced files, and logs missing files.
 *
 * @throws AggregateError of those that could not be removed, after all others were.
 */
export const cleanUploads: Handler<'clean-uploads'> = async ({ deletedOnly }, { services, log }) => {
  const { missing, lost, compared, failures, ...done } = await services.media.clean({
    now: services.now(),
    deletedOnly,
  });
  log.info(done, 'uploads cleaned');
  if (lost > 0) log.error({ count: lost, files: missing.slice(0, 20) }, 'files of uploaded images are missing');
  if (!compared) log.warn('the storage does not list names in order: missing files cannot be detected');
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} images or files could not be removed`);
};
