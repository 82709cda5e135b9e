import { z } from 'zod';
import { tally } from './domains/voting.ts';

/** Domains whose lists open screens can show. */
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
  'media',
  'deliverables',
  'notifications',
  'settings',
]);
export type LiveDomain = z.infer<typeof liveDomain>;

/**
 * Live events of GET /live (server-sent events, one JSON object each): absolute values, or the name of the data to refetch.
 * Never deltas and never content, so a duplicate event is harmless.
 */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('votes.changed'), tallies: z.array(tally) }),
  /** A new post; screens do not insert it, they show the number of new posts. */
  z.object({
    type: z.literal('post.created'),
    postId: z.uuid(),
    /** Id of the token it is about. */
    about: z.uuid().optional(),
  }),
  /** A post, its comments or its reactions changed. */
  z.object({ type: z.literal('post.changed'), postId: z.uuid() }),
  /** A post is no longer visible to visitors. */
  z.object({ type: z.literal('post.removed'), postId: z.uuid() }),
  z.object({ type: z.literal('domain.changed'), domain: liveDomain }),
  /** A member has new notifications; it is sent to the member's own screens only, and without the ids. */
  z.object({ type: z.literal('member.notified'), members: z.array(z.uuid()).optional() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** The domain whose pages an event invalidates. */
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
