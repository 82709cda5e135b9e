import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { tokenKind } from '../fields/schemas.ts';
import { SAVED_MAX } from '../limits.ts';
import { token } from './tokens.ts';

export const savedRef = z.strictObject({ kind: tokenKind, id: z.uuid() });
export type SavedRef = z.infer<typeof savedRef>;

/** Fields of a public token in the list of saved tokens. */
export const savedToken = token.pick({
  kind: true,
  id: true,
  tokenName: true,
  tokenSymbol: true,
  tokenSlug: true,
  description: true,
  imageUrl: true,
});
export type SavedToken = z.infer<typeof savedToken>;

const refs = z.array(savedRef).max(SAVED_MAX);

export const saved = {
  /** Adds the tokens that the browser stored while signed out, and returns the whole list, newest first. */
  merge: oc
    .route({ method: 'POST', path: '/saved/merge', tags: ['saved'], summary: 'Merge the list kept while signed out' })
    .errors({
      UNAUTHORIZED: errors.UNAUTHORIZED,
      TOO_MANY_SAVED: errors.TOO_MANY_SAVED,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(z.strictObject({ refs }))
    .output(refs),
  list: oc
    .route({ method: 'GET', path: '/saved', tags: ['saved'], summary: 'My saved tokens, newest first' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(refs),
  /**
   * Resolves references to displayable tokens; unknown and non-public ones are omitted. A candidate that graduated is resolved to the NEXT
   * project that it became, which names it as `candidateId`: a browser's list still has the candidate.
   */
  resolve: oc
    .route({ method: 'POST', path: '/saved/resolve', tags: ['saved'], summary: 'Tokens behind saved references' })
    .input(z.strictObject({ refs }))
    .output(z.array(savedToken.extend({ candidateId: z.uuid().nullable() }))),
  /** Saved tokens with mail notices enabled. */
  notices: oc
    .route({ method: 'GET', path: '/saved/notices', tags: ['saved'], summary: 'Saved tokens with mail notices' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(refs),
  /** Enables mails about its promotion, a new launch date and its launch. */
  setNotice: oc
    .route({
      method: 'PUT',
      path: '/saved/{kind}/{id}/notice',
      tags: ['saved'],
      summary: 'Mail notices for a saved token',
    })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND, RATE_LIMITED: errors.RATE_LIMITED })
    .input(savedRef.extend({ on: z.boolean(), locale: z.enum(['es', 'en']).default('es') }))
    .output(z.object({ on: z.boolean() })),
  set: oc
    .route({ method: 'PUT', path: '/saved/{kind}/{id}', tags: ['saved'], summary: 'Save or forget a token' })
    .errors({
      UNAUTHORIZED: errors.UNAUTHORIZED,
      NOT_FOUND: errors.NOT_FOUND,
      TOO_MANY_SAVED: errors.TOO_MANY_SAVED,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(savedRef.extend({ saved: z.boolean() }))
    .output(z.object({ saved: z.boolean() })),
};
