import type { MyRemoval } from '#contract/domains/forum.ts';

/** State of a removed text, as a key of its messages; `unseen`: it was declined before publication. */
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
