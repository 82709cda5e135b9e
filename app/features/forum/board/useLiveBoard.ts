import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { onLiveEvent } from '#app/lib/live/live.ts';
import { afterReads, heldPost, patchPost, removePost, rereadPost } from '../forum.queries.ts';

/**
 * Changes received within this time are read in one request; with jitter, so that clients do not send requests simultaneously.
 * Milliseconds.
 */
const COALESCE_MS = 200;
const SPREAD = 200;
/** Above this number of changed posts it is cheaper to refetch the list. */
const MAX_ALONE = 10;

interface Options {
  /** True while a reaction of the user is being sent: the server's state of the post is older than the screen's. */
  isBusy: (postId: string) => boolean;
  /** Which new posts belong to this list: all of them, or those about the token with this id. */
  announce: boolean | string;
  /** True when the reader does not see posts of some members, so that the author of a new one has to be known first. */
  hidesSome: boolean;
  /** True when the reader does not see posts of this member. */
  isHidden: (username: string | null) => boolean;
}

/**
 * Synchronizes the posts on screen with the server, each with a request of its own.
 * @returns ids of posts published since, to be announced and not shown, and a function that clears them.
 */
export function useLiveBoard({ isBusy, announce, hidesSome, isHidden }: Options) {
  const queries = useQueryClient();
  const [announced, setAnnounced] = useState<string[]>([]);
  const busy = useEffectEvent(isBusy);
  const isAnnounced = useEffectEvent((id: string) => announced.includes(id));
  const announceNew = useEffectEvent(async (id: string) => {
    if (hidesSome) {
      const author = await rpc.forum.post.call({ id }).then(
        (post) => post.author.username,
        () => null,
      );
      if (isHidden(author)) return;
    }
    setAnnounced((ids) => (ids.includes(id) ? ids : [...ids, id]));
  });

  useEffect(() => {
    const changed = new Set<string>();
    const reading = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const later = (id: string) => {
      if (stopped) return;
      changed.add(id);
      timer ??= setTimeout(readChanged, COALESCE_MS + Math.random() * SPREAD);
    };
    function readChanged() {
      timer = undefined;
      // The tab is hidden: read once when it becomes visible.
      if (document.hidden) return;
      const ids = [...changed];
      changed.clear();
      if (ids.length > MAX_ALONE) void queries.invalidateQueries({ queryKey: rpc.forum.posts.key() });
      else for (const id of ids) void reread(id);
    }
    async function reread(id: string) {
      const held = heldPost(queries, id);
      if (!held && !isAnnounced(id)) return;
      // One request at a time per post, so that an older response never arrives last.
      if (reading.has(id) || busy(id)) return later(id);
      reading.add(id);
      try {
        const fresh = await rereadPost(id, held);
        // The response may lack a change made here meanwhile.
        if (busy(id) || heldPost(queries, id) !== held) later(id);
        else patchPost(queries, id, () => fresh);
      } catch (error) {
        if (codeOf(error) !== 'NOT_FOUND') return;
        removePost(queries, id);
        setAnnounced((ids) => ids.filter((other) => other !== id));
      } finally {
        reading.delete(id);
      }
    }
    const onVisible = () => {
      if (!document.hidden && changed.size > 0 && timer === undefined) readChanged();
    };
    document.addEventListener('visibilitychange', onVisible);
    const stop = onLiveEvent((event) => {
      if (event.type === 'post.changed') {
        later(event.postId);
        afterReads(queries, () => later(event.postId));
      }
      if (event.type === 'post.removed') {
        changed.delete(event.postId);
        removePost(queries, event.postId);
        setAnnounced((ids) => ids.filter((id) => id !== event.postId));
      }
      if (event.type === 'post.created' && (announce === true || (announce && event.about === announce)))
        void announceNew(event.postId);
    });
    return () => {
      stop();
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      // Without the board no events are processed: the next visit refetches.
      void queries.invalidateQueries({ queryKey: rpc.forum.posts.key(), refetchType: 'none' });
    };
  }, [queries, announce]);

  return { announced, forget: () => setAnnounced([]) };
}
