import { Scene } from './Scene.tsx';

/** Not found: the wind carries the stub away. */
export const SceneNotFound = () => <Scene name="not-found" />;
