import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';

const ImageUpload = lazy(() =>
  loadWithRetry(() => import('./ImageUpload.tsx')).then((part) => ({ default: part.ImageUpload })),
);

interface ForumImageProps {
  label: string;
  /** URL of the image; null for none. */
  value: string | null;
  onChange: (url: string | null) => void;
}

/** An image of a post, loaded when somebody writes one. */
export const ForumImage = (props: ForumImageProps) => (
  <Suspense fallback={<Skeleton className="h-28" />}>
    <ImageUpload bucket="forum-images" {...props} />
  </Suspense>
);
