import type { MyRemoval } from '#contract/domains/forum.ts';

/** What became of a removed text so far, as a key of the words for it; `unseen`: it was declined before anybody saw it. */
export function removalState({
  outcome,
  appealed,
  unseen,
}: {
  outcome: MyRemoval['outcome'];
  appealed: boolean;
  unseen: boolean;
}) {
  if (outcome === 'reversed' && unseen) return 'published';
  return outcome ?? (appealed ? 'appealed' : unseen ? 'declined' : 'removed');
}
