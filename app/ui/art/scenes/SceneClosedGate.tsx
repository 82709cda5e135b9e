import { Scene } from './Scene.tsx';

/** No permission, closed, offline: the gate is shut. */
export const SceneClosedGate = () => <Scene name="closed-gate" />;
