import { HydrationBoundary } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { networksQuery } from '#app/features/token-requests/wizard/Fields.tsx';
import { Wizard } from '#app/features/token-requests/wizard/Wizard.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) => queries.fetchQuery(networksQuery(api)));
export const clientLoader = nothingToLoad;

/** The wizard, from an idea to a paid token request; needs no account. */
export default function CreatePage() {
  const { state } = useLoaderData<PageData>();
  return (
    <HydrationBoundary state={state}>
      <div className="page pb-12">
        <Wizard image={(slot) => <ImageUpload bucket="token-images" {...slot} />} />
      </div>
    </HydrationBoundary>
  );
}
