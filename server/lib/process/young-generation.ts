import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Collection {
  type: 'major';
  execution: 'sync';
  flavor: 'last-resort';
}

/**
 * Gives the memory of the young generation back that the start made it grow to. It grows again when much is asked of the
 * process. Takes some tens of milliseconds, in which nothing is answered.
 */
export function shrinkYoungGeneration(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: Collection) => void;
  setFlagsFromString('--no-expose-gc');
  // Only a collection of last resort takes the space from the young generation itself.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
