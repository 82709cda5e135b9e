import { z } from 'zod';
import { errors } from '../errors.ts';
import { tokenKind } from '../fields/schemas.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import { adminRead, adminWrite, saving } from './shared/list.ts';

/** A record that a created token was published as. */
const showcased = z.object({
  kind: tokenKind,
  id: z.uuid(),
  tokenName: z.string(),
  /** Slug of its public page. */
  slug: z.string(),
  at: z.iso.datetime(),
  /** True when it is in the trash. */
  deleted: z.boolean(),
});
export type Showcased = z.infer<typeof showcased>;

const ofRequest = z.strictObject({ requestId: z.uuid() });

export const adminShowcase = {
  list: adminRead('/token-requests/{requestId}/showcase', 'What was made of the token of a request', [
    'support',
    'finance',
  ])
    .input(ofRequest)
    .output(z.array(showcased)),
  /** Creates a project, candidate or NEXT project from a token that is on its chain, with all data of its request. */
  add: adminWrite('POST', '/token-requests/{requestId}/showcase', 'Make a project of a created token', ['finance'])
    .errors({
      ...saving,
      IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED,
      /** A live record of this kind exists for it already. */
      ALREADY_DONE: errors.ALREADY_DONE,
      RESEMBLES: errors.RESEMBLES,
    })
    .input(ofRequest.extend({ as: tokenKind, resemblanceAccepted }))
    .output(showcased),
};
