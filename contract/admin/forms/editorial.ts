import { z } from 'zod';

const moment = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(2200, 0))
  .nullable();

/** When a record is published and when it is unpublished; null means not scheduled. */
export const scheduleForm = z.strictObject({ publishAt: moment, expireAt: moment });
