import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { PREVIEW_KEY } from '../limits.ts';
import { newsItem } from './news.ts';
import { nextProject } from './next-projects.ts';

const about = {
  /** Scheduled publication and unpublication; null when not scheduled, or over. */
  publishAt: z.iso.datetime().nullable(),
  expireAt: z.iso.datetime().nullable(),
  /** True when it is public already. */
  shown: z.boolean(),
  /** Expiry of the link. */
  endsAt: z.iso.datetime(),
};

const preview = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('news'), ...about, item: newsItem }),
  z.object({ kind: z.literal('next_project'), ...about, project: nextProject, serverTime: z.iso.datetime() }),
  z.object({ kind: z.literal('announcement'), ...about, es: z.string(), en: z.string() }),
]);
export type Preview = z.infer<typeof preview>;

export const previews = {
  read: oc
    .route({ method: 'POST', path: '/previews', tags: ['previews'], summary: 'What a link to a draft shows' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ key: z.string().regex(PREVIEW_KEY) }))
    .output(preview),
};
