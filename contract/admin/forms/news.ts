import { z } from 'zod';
import { imageOrNull, nameOf, requiredText } from '../../fields/schemas.ts';
import { NEWS_AUTHOR, NEWS_AUTHOR_MAX, NEWS_CONTENT_MAX, NEWS_TITLE_MAX } from '../../limits.ts';

/** Editable fields of a news item. */
export const newsForm = z.strictObject({
  title: nameOf(1, NEWS_TITLE_MAX),
  content: requiredText(1, NEWS_CONTENT_MAX),
  /** Empty means the default author. */
  authorName: z.string().trim().max(NEWS_AUTHOR_MAX).default(NEWS_AUTHOR),
  /** An external address is downloaded and stored as our own copy. */
  imageUrl: imageOrNull.default(null),
  isActive: z.boolean().default(false),
});
