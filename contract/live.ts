import { z } from 'zod';
import { tally } from './domains/voting.ts';

/** Parts of the product whose lists open screens may hold. */
export const liveDomain = z.enum([
  'projects',
  'nextProjects',
  'voting',
  'news',
  'forum',
  'presence',
  'networks',
  'market',
  'tokenRequests',
  'sitePages',
  'deliverables',
  'notifications',
  'settings',
]);
export type LiveDomain = z.infer<typeof liveDomain>;

/**
 * What open screens receive at GET /live (server-sent events, one JSON object each): absolute values, or the name of what to
 * read again. Never deltas and never content, so hearing one twice is harmless.
 */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('votes.changed'), tallies: z.array(tally) }),
  /** A new post; it is not put under the eyes of readers, they see how many there are. */
  z.object({
    type: z.literal('post.created'),
    postId: z.uuid(),
    /** Id of the token that it is about. */
    about: z.uuid().optional(),
  }),
  /** A post, its comments or its reactions changed. */
  z.object({ type: z.literal('post.changed'), postId: z.uuid() }),
  /** A post is gone for visitors: there is nothing left to read. */
  z.object({ type: z.literal('post.removed'), postId: z.uuid() }),
  z.object({ type: z.literal('domain.changed'), domain: liveDomain }),
  /** A member has news; it goes to their own screens only, and without the ids. */
  z.object({ type: z.literal('member.notified'), members: z.array(z.uuid()).optional() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** The domain whose pages an event touches. */
export const domainOf = (event: LiveEvent): LiveDomain => {
  switch (event.type) {
    case 'votes.changed':
      return 'voting';
    case 'post.created':
    case 'post.changed':
    case 'post.removed':
      return 'forum';
    case 'member.notified':
      return 'notifications';
    case 'domain.changed':
      return event.domain;
  }
};
