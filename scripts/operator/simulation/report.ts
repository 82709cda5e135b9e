import { simulateVotes } from './simulate.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(8);

/**
 * Generates a population of votes from a seed, evaluates it with the server's signals, and prints how correct they were.
 *
 * @param seed a whole number; the same one makes the same population.
 * @returns whether the target was met: 95 % of bought votes held, and at most 1 % of honest ones.
 */
export function printSimulation(seed: number): boolean {
  const { overall, bySignal, byPattern, votes, gaps } = simulateVotes(seed);
  console.log(`Seed ${seed}: ${votes} votes, ${overall.held} held.\n`);
  console.log(`${'signal'.padEnd(26)}${'held'.padStart(7)}  precision    recall`);
  for (const [signal, { precision, recall, held }] of bySignal)
    console.log(`${signal.padEnd(26)}${String(held).padStart(7)}  ${percent(precision)}  ${percent(recall)}`);
  console.log(`\n${'pattern'.padEnd(26)}${'votes'.padStart(7)}      held`);
  for (const [pattern, { bought, votes: all, held }] of byPattern)
    console.log(`${(bought ? '! ' : '  ') + pattern.padEnd(24)}${String(all).padStart(7)}  ${percent(held / all)}`);
  console.log('\nKnown not to be found, outside of the figures:');
  for (const [pattern, { votes: all, held }] of gaps)
    console.log(`? ${pattern.padEnd(24)}${String(all).padStart(7)}  ${percent(held / all)}`);
  const met = overall.recall >= 0.95 && overall.honestHeld <= 0.01;
  console.log(
    `\nOf bought votes held:${percent(overall.recall)} (target 95 %). Of honest votes held:${percent(overall.honestHeld)} (target at most 1 %). ${met ? 'Met.' : 'Not met.'}`,
  );
  return met;
}
