import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { onLiveEvent } from '#app/lib/live/live.ts';
import { heroMomentTexts } from '#app/lib/messages/hero-moments.ts';
import { afterTallies, type Moments, startOf } from './hero-moments.ts';
import { MY_VOTES_CHANNEL, type MyVote } from './my-votes-channel.ts';
import { rankingQuery, stripQuery } from './ranking.queries.ts';

/** How long the puppet is shown without its crown, or bowing. Milliseconds. */
const UNCROWNED_MS = 4_000;
const BOW_MS = 900;
/** How long a new leader is shown instead of the latest votes; the line above always shows the leader. Milliseconds. */
const LED_MS = 8_000;

/** Animates the puppet of the hero; with reduced motion only the text changes. */
function showMood(mood: 'uncrowned' | 'bows', ms: number): void {
  const puppet = document.querySelector<SVGElement>('.hero-puppet');
  if (!puppet) return;
  puppet.dataset['mood'] = mood;
  setTimeout(() => {
    if (puppet.dataset['mood'] === mood) delete puppet.dataset['mood'];
  }, ms);
}

/**
 * The latest votes of the round while home is open, and the puppet's reactions: it bows at a vote of this browser's member, and loses
 * its crown when another candidate takes the lead.
 */
export default function HeroMoments() {
  const { moments: text } = useText(heroMomentTexts);
  const locale = useLocale();
  const { data: ranking } = useQuery({
    ...rankingQuery(),
    select: ({ items }) => items,
    notifyOnChangeProps: ['data'],
  });
  const [moments, setMoments] = useState<Moments | null>(null);
  const ready = ranking !== undefined;
  const start = useEffectEvent(() => startOf(ranking ?? []));
  useEffect(() => {
    if (!ready) return;
    let now = start();
    return onLiveEvent((event) => {
      if (event.type !== 'votes.changed') return;
      now = afterTallies(now, event.tallies);
      setMoments(now);
    });
  }, [ready]);

  const leader = useQuery(stripQuery()).data?.items[0];
  const before = useRef(leader?.id);
  const [led, setLed] = useState<string | null>(null);
  useEffect(() => {
    if (!leader || leader.totalVotes === 0) return;
    const changed = before.current !== undefined && before.current !== leader.id;
    before.current = leader.id;
    if (!changed) return;
    setLed(leader.tokenName);
    showMood('uncrowned', UNCROWNED_MS);
  }, [leader]);
  useEffect(() => {
    if (!led) return;
    const timer = setTimeout(() => setLed(null), LED_MS);
    return () => clearTimeout(timer);
  }, [led]);

  useEffect(() => {
    const channel = new BroadcastChannel(MY_VOTES_CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<MyVote>) => {
      if (data.voted) showMood('bows', BOW_MS);
    };
    return () => channel.close();
  }, []);

  const gained = (moments?.gained ?? [])
    .map(({ name, votes, total }) => text.gained(name, integer(votes, locale), integer(total, locale)))
    .join(' · ');
  // Both stay in the document: a live region must exist before its text changes.
  return (
    <>
      <span role="status" className="block truncate font-semibold text-text">
        {led ? text.leads(led) : null}
      </span>
      {gained && !led ? (
        <span className="block truncate" title={gained}>
          {text.latest} {gained}
        </span>
      ) : null}
    </>
  );
}
