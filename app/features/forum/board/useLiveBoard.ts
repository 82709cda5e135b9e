import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { onLiveEvent } from '#app/lib/live/live.ts';
import { heldPost, patchPost, rereadPost } from '../forum.queries.ts';

/** Changes received within this time are read together; spread, so that not all screens ask at once. Milliseconds. */
const COALESCE_MS = 200;
const SPREAD = 200;
/** More changed posts than this cost less as one list. */
const MAX_ALONE = 10;

interface Options {
  /** A reaction of mine is on its way: what the server says of the post is older than the screen. */
  isBusy: (postId: string) => boolean;
  /** New posts belong on this list: all of them, or those about the token of this id. */
  announce: boolean | string;
}

/**
 * Keeps the posts on screen equal to the server's, each by itself.
 *
 * @returns ids of posts published since, to be told about and not shown, and a way to forget them.
 */
export function useLiveBoard({ isBusy, announce }: Options) {
  const queries = useQueryClient();
  const [announced, setAnnounced] = useState<string[]>([]);
  const busy = useEffectEvent(isBusy);
  const isAnnounced = useEffectEvent((id: string) => announced.includes(id));

  useEffect(() => {
    const changed = new Set<string>();
    const reading = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (id: string) => {
      changed.add(id);
      timer ??= setTimeout(readChanged, COALESCE_MS + Math.random() * SPREAD);
    };
    function readChanged() {
      timer = undefined;
      // Nobody looks: read once when somebody does.
      if (document.hidden) return;
      const ids = [...changed];
      changed.clear();
      if (ids.length > MAX_ALONE) void queries.invalidateQueries({ queryKey: rpc.forum.posts.key() });
      else for (const id of ids) void reread(id);
    }
    async function reread(id: string) {
      const held = heldPost(queries, id);
      if (!held && !isAnnounced(id)) return;
      // One at a time, so that an older answer never comes last.
      if (reading.has(id) || busy(id)) return later(id);
      reading.add(id);
      try {
        const fresh = await rereadPost(id, held);
        // What happened here meanwhile, the answer may not know.
        if (busy(id) || heldPost(queries, id) !== held) later(id);
        else patchPost(queries, id, () => fresh);
      } catch (error) {
        if (codeOf(error) !== 'NOT_FOUND') return;
        patchPost(queries, id, () => null);
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
      if (event.type === 'post.changed') later(event.postId);
      if (event.type === 'post.removed') {
        changed.delete(event.postId);
        patchPost(queries, event.postId, () => null);
        setAnnounced((ids) => ids.filter((id) => id !== event.postId));
      }
      if (event.type === 'post.created' && (announce === true || (announce && event.about === announce)))
        setAnnounced((ids) => (ids.includes(event.postId) ? ids : [...ids, event.postId]));
    });
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      // Away from the board nothing is received: the next visit reads it again.
      void queries.invalidateQueries({ queryKey: rpc.forum.posts.key(), refetchType: 'none' });
    };
  }, [queries, announce]);

  return { announced, forget: () => setAnnounced([]) };
}
