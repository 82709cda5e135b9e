import { Drawn } from '../Drawn.tsx';
import type { SceneName } from '../drawings/Drawing.tsx';

/** An illustration of an empty list, an error or a closed page. */
export const Scene = ({ name }: { name: SceneName }) => (
  <Drawn drawing={{ name }} className="scene" viewBox="0 0 280 180" width="280" height="180" aria-hidden="true" />
);
