import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { type Finding, type ReviewMember, type ReviewVote, ReviewWindow } from './review-window.ts';
import { findSuspects } from './signals.policy.ts';
import { SuspectFinder } from './suspect-finder.policy.ts';
import { createSuspectThread, type SuspectSource } from './suspect-thread.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 10);
const MEMBERS = 40;

const member = (serial: number): ReviewMember => ({
  id: `m${serial}`,
  // Some older, some new, some created together.
  since: START - (serial % 4 === 0 ? 40 * DAY + serial * 30_000 : serial % 4 === 1 ? 90 * DAY * serial : 60_000),
  mailbox: `box${serial % 5 === 0 ? 0 : serial}@example.org`,
  mailDomain: 'example.org',
  disposable: serial % 17 === 3,
  active: serial % 11 === 0,
  votedBefore: null,
});
/** Votes in order of their ids, with few enough candidates and networks for signals to find something. */
const history = fc
  .array(
    fc.record({
      by: fc.nat({ max: MEMBERS - 1 }),
      candidate: fc.nat({ max: 1 }),
      pause: fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 4_000 }) }, fc.nat({ max: DAY })),
      home: fc.nat({ max: 6 }),
    }),
    { minLength: 30, maxLength: 120 },
  )
  .map((votes) => {
    let at = START;
    return votes.map(({ by, candidate, pause, home }, i): ReviewVote => {
      at += pause;
      const networks = [`h${home}`, 'b', 's'];
      return {
        id: i + 1,
        candidateId: `c${candidate}`,
        member: member(by),
        at,
        day: Math.floor(at / DAY),
        networks,
      };
    });
  });

const textOf = ({ signal, key, candidateId, facts }: Omit<Finding, 'votes'>, ids: Iterable<number>) =>
  JSON.stringify([signal, key, candidateId, facts, [...ids].toSorted((a, b) => a - b)]);

/** All findings of the thread until it is complete. */
async function allOf(source: SuspectSource) {
  const found: string[] = [];
  for (;;) {
    const piece = await source.next();
    if (piece === null) return found;
    for (const one of piece) found.push(textOf(one, one.voteIds));
  }
}

describe('the thread of the signals', () => {
  it('finds in batches what the signals find over all votes in this thread', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 20, max: 200 }),
        async (votes, looks, max) => {
          const thread = createSuspectThread(max);
          const window = new ReviewWindow(max);
          const placed = new Set<number>();
          try {
            for (let from = 0, n = 0; from < votes.length; n++) {
              const shown = votes.slice(from, from + (looks[n % looks.length] ?? 1) * 3);
              from += shown.length;
              // Passed on in pages, evaluated together.
              for (let page = 0; page < shown.length; page += 7) await thread.add(shown.slice(page, page + 7));
              const touched = window.add(shown.map((vote) => ({ ...vote, member: window.member(vote.member) })));
              const whole = [...findSuspects(window, touched)].flat().flatMap(({ votes: all, ...finding }) => {
                const open = all.map(({ id }) => id).filter((id) => !placed.has(id));
                return open.length > 0 ? [{ text: textOf(finding, open), open }] : [];
              });
              expect(await allOf(thread)).toEqual(whole.map(({ text }) => text));
              found += whole.length;
              // Votes that were put into clusters are not reported again.
              const into = whole.flatMap(({ open }) => open.filter((id) => id % 2 === n % 2));
              for (const id of into) placed.add(id);
              await thread.place(into);
            }
          } finally {
            thread.end();
          }
        },
      ),
      { numRuns: propertyRuns(15) },
    );
    expect(found).toBeGreaterThan(10);
  });

  it('stores a limited number of votes and of marks of clustered votes', () => {
    const finder = new SuspectFinder(50);
    for (let page = 0; page < 20; page++) {
      const votes = Array.from({ length: 30 }, (_, i): ReviewVote => {
        const id = page * 30 + i + 1;
        const at = START + id * 1_000;
        return { id, candidateId: 'c', member: member(id), at, day: Math.floor(at / DAY), networks: ['a', 'n'] };
      });
      finder.add(votes);
      finder.markClustered(votes.map(({ id }) => id));
      expect([...finder.detect()].flat()).toEqual([]);
      expect(finder.size.votes).toBeLessThanOrEqual(50);
      expect(finder.size.placed).toBeLessThanOrEqual(80);
    }
  });

  it('ends when it is idle, when it is stopped, and when its memory is exceeded, without ending this process', async () => {
    const short = createSuspectThread(10, { idle: 1 });
    expect(short.alive).toBe(false);
    await short.add([]);
    await expect.poll(() => short.alive).toBe(false);
    // The next request starts it again, without votes.
    expect(await short.next()).toBeNull();
    short.end();
    expect(short.alive).toBe(false);

    // With few votes it ends soon, but not before they were evaluated.
    const few = createSuspectThread(10, { fewIdle: 1 });
    await few.add([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(few.alive).toBe(true);
    expect(await few.next()).toBeNull();
    await expect.poll(() => few.alive).toBe(false);

    const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-thread-'));
    const program = path.join(folder, 'greedy.mjs');
    writeFileSync(
      program,
      `import { parentPort } from 'node:worker_threads';
       const kept = [];
       parentPort.on('message', () => { for (;;) kept.push(new Array(10_000).fill(kept.length)); });`,
    );
    const greedy = createSuspectThread(10, { program, memory: 16 });
    await expect(greedy.next()).rejects.toThrow(/memory/i);
    await expect.poll(() => greedy.alive).toBe(false);
    await rm(folder, { recursive: true, force: true });
  });
});
