import { z } from 'zod';

const moment = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(2200, 0))
  .nullable();

/** When a record appears on the site, and when it goes; null: nothing is planned. */
export const scheduleForm = z.strictObject({ publishAt: moment, expireAt: moment });
