import type { Finding, ReviewVote } from './review-window.ts';
import { REVIEW } from './thresholds.ts';

/**
 * `lockstep`: the same accounts vote for the same candidate within the same four minutes on three or more days, far more of them
 * than chance explains. Groups that share members are merged into one ring.
 *
 * Members with the same three slots get the same key, so that no pairs of members are compared: the cost grows linearly with the
 * votes. Slots of a second grid, offset by half a slot, find members that a border of the first grid separates.
 *
 * @param votes of one candidate, in order of time.
 */
export function lockstep(votes: readonly ReviewVote[]): Finding[] {
  const { days, compared, members, slot } = REVIEW.lockstep;
  const byMember = Map.groupBy(votes, ({ member }) => member.id);
  const regulars = [...byMember].filter(([, list]) => list.length >= days);
  if (regulars.length < members) return [];
  const start = (votes[0] as ReviewVote).at;
  const rings = new Rings();
  for (const offset of [0, slot / 2]) {
    const slotOf = ({ at }: ReviewVote) => Math.floor((at - start + offset) / slot) % WIDTH;
    const sizes = new Map<number, number>();
    for (const vote of votes) sizes.set(slotOf(vote), (sizes.get(slotOf(vote)) ?? 0) + 1);
    for (const [key, group] of groupsBySlots(regulars, slotOf, compared)) {
      if (group.length < members) continue;
      const needed = neededFor(slotsOf(key), sizes, byMember.size);
      if (group.length >= needed) rings.join(group);
    }
  }
  return rings.all().flatMap((ring): Finding[] => {
    const steps = stepsIn(ring, byMember);
    const suspects = ring.filter((id) => (steps.get(id) ?? 0) >= REVIEW.lockstep.share);
    if (suspects.length < members) return [];
    const found = suspects.flatMap((id) => byMember.get(id) ?? []).toSorted((a, b) => a.at - b.at);
    const { candidateId } = found[0] as ReviewVote;
    return [
      {
        signal: 'lockstep',
        // The smallest id usually stays the smallest when the ring grows; otherwise another cluster is created.
        key: `${candidateId}:${suspects.toSorted()[0]}`,
        candidateId,
        votes: found,
        facts: { members: suspects.length, days: Math.max(...suspects.map((id) => byMember.get(id)?.length ?? 0)) },
      },
    ];
  });
}

/** As many slots of four minutes as fit into 416 days, longer than a round; three of them fit into one exact number. */
const WIDTH = 150_000;
const slotsOf = (key: number): number[] => [Math.floor(key / WIDTH ** 2), Math.floor(key / WIDTH) % WIDTH, key % WIDTH];

/** Members grouped by each combination of three slots in which they voted. */
function groupsBySlots(
  regulars: readonly [string, ReviewVote[]][],
  slotOf: (vote: ReviewVote) => number,
  compared: number,
): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [id, list] of regulars) {
    const slots = list.slice(-compared).map(slotOf);
    for (let a = 0; a < slots.length; a++)
      for (let b = a + 1; b < slots.length; b++)
        for (let c = b + 1; c < slots.length; c++) {
          const key = ((slots[a] as number) * WIDTH + (slots[b] as number)) * WIDTH + (slots[c] as number);
          const group = groups.get(key);
          if (group) group.push(id);
          else groups.set(key, [id]);
        }
  }
  return groups;
}

/** Number of members in the same three slots that chance does not explain, if votes were independent of each other. */
function neededFor(slots: readonly number[], sizes: ReadonlyMap<number, number>, voters: number): number {
  const { maxChance, factor, members } = REVIEW.lockstep;
  const chance = slots.reduce(
    (product, slot) => product * Math.min(maxChance, (sizes.get(slot) ?? 0) / voters),
    voters,
  );
  return Math.max(members, factor * chance + members);
}

/** For each member of a ring, the share of its votes with votes of other ring members within one slot's time. */
function stepsIn(ring: readonly string[], byMember: ReadonlyMap<string, readonly ReviewVote[]>): Map<string, number> {
  const { slot, members } = REVIEW.lockstep;
  const all = ring.flatMap((id) => byMember.get(id) ?? []).toSorted((a, b) => a.at - b.at);
  const shares = new Map<string, number>();
  let from = 0;
  let to = 0;
  for (const { at, member } of all) {
    while (at - (all[from] as ReviewVote).at >= slot) from++;
    while (to < all.length && (all[to] as ReviewVote).at - at < slot) to++;
    // Each member votes once a day for a candidate, so votes this close are from different members.
    if (to - from < members) continue;
    shares.set(member.id, (shares.get(member.id) ?? 0) + 1 / (byMember.get(member.id)?.length ?? 1));
  }
  return shares;
}

/** Merges groups that share members (union-find with path halving). */
class Rings {
  readonly #parent = new Map<string, string>();

  #root(id: string): string {
    let at = id;
    for (;;) {
      const above = this.#parent.get(at) ?? at;
      if (above === at) return at;
      const two = this.#parent.get(above) ?? above;
      this.#parent.set(at, two);
      at = two;
    }
  }

  join(group: readonly string[]): void {
    const root = this.#root(group[0] as string);
    for (const id of group) this.#parent.set(this.#root(id), root);
    if (!this.#parent.has(root)) this.#parent.set(root, root);
  }

  all(): string[][] {
    return [...Map.groupBy([...this.#parent.keys()], (id) => this.#root(id)).values()];
  }
}
