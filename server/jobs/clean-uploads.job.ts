import type { Handler } from './handler.ts';

/** Removes images that nothing uses and files that nothing names; says which files are missing. */
export const cleanUploads: Handler<'clean-uploads'> = async ({ deletedOnly }, { services, log }) => {
  const { missing, ...done } = await services.media.clean({ now: services.now(), deletedOnly });
  log.info(done, 'uploads cleaned');
  if (missing.length > 0)
    log.error({ count: missing.length, files: missing.slice(0, 20) }, 'files of uploaded images are missing');
};
