import { z } from 'zod';
import { IMAGE_URL_MAX } from '../limits.ts';

/**
 * The address of an upload, or one elsewhere (https), of which the server makes its own copy; null for none. The address
 * that a record has already is always good.
 */
export const imageField = z
  .string()
  .trim()
  .max(IMAGE_URL_MAX)
  .regex(/^(\/[\w./-]+|https?:\/\/\S+)$/)
  .nullable();
