import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { PREVIEW_KEY } from '../limits.ts';
import { newsItem } from './news.ts';
import { nextProject } from './next-projects.ts';

const about = {
  /** When it appears and goes by itself; null: nothing is planned. */
  publishAt: z.iso.datetime().nullable(),
  expireAt: z.iso.datetime().nullable(),
  /** Everybody sees it already. */
  shown: z.boolean(),
  /** Until then the link works. */
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
