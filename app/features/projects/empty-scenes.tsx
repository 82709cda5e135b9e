import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Scene } from '#app/ui/art/scenes/Scene.tsx';

// Home rarely has no projects: the drawings for that case are not part of its first load.
const EmptyStage = lazy(() =>
  loadWithRetry(() => import('#app/ui/art/scenes/SceneEmptyStage.tsx')).then((part) => ({
    default: part.SceneEmptyStage,
  })),
);
const Construction = lazy(() =>
  loadWithRetry(() => import('#app/ui/art/scenes/SceneConstruction.tsx')).then((part) => ({
    default: part.SceneConstruction,
  })),
);

/** A placeholder of the drawing's size, so that nothing moves. */
const place = <Scene>{null}</Scene>;

/** No podium yet. */
export function PodiumScene() {
  return (
    <Suspense fallback={place}>
      <EmptyStage />
    </Suspense>
  );
}

/** No projects yet. */
export function GridScene() {
  return (
    <Suspense fallback={place}>
      <Construction />
    </Suspense>
  );
}
