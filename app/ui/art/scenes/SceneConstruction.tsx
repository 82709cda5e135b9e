import { Scene } from './Scene.tsx';

/** Coming soon: the tent is going up. */
export const SceneConstruction = () => <Scene name="construction" />;
