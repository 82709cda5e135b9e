import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Collection {
  type: 'major';
  execution: 'sync';
  flavor: 'last-resort';
}

/**
 * Returns memory to the system to which the young generation of the heap grew during startup. It grows again under
 * load. Takes some tens of milliseconds, during which the process answers nothing.
 */
export function shrinkYoungGeneration(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: Collection) => void;
  setFlagsFromString('--no-expose-gc');
  // Only a last-resort collection shrinks the young generation itself.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
