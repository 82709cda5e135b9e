import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/later.ts';
import { Scene } from '#app/ui/art/scenes/Scene.tsx';

// Home has projects nearly always: the drawings for when it has none stay out of its first load.
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

/** What stands where a drawing will: the same size, so that nothing moves. */
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
