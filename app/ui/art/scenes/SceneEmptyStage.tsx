import { Scene } from './Scene.tsx';

/** A list without rows: the light is on, nobody has come out yet, somebody peeks. */
export const SceneEmptyStage = () => <Scene name="empty-stage" />;
