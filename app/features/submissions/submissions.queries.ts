import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { withChallenge } from '#app/lib/api/challenge.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useLocale } from '#app/lib/i18n/i18n.tsx';
import type { Form, Stored } from './form.ts';

/** Whether submissions are accepted now; queried by the browser only, because the document is the same for everybody. */
export const useSubmissionsState = () =>
  useQuery(rpc.submissions.state.queryOptions({ staleTime: 30_000, enabled: !import.meta.env.SSR }));

export const useNetworks = () => useQuery(rpc.networks.list.queryOptions({ staleTime: 60_000 }));

const trimmed = (form: Form): Form =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.trim()])) as Form;

/** Sends the form; the same attempt returns the same receipt. */
export function useSubmit() {
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    mutationFn: ({
      form,
      formKey,
      attempt,
      resemblanceAccepted,
    }: Omit<Stored, 'changed'> & { resemblanceAccepted: boolean }) =>
      retryAfterLostAnswer(() =>
        withChallenge((challenge) =>
          client.submissions.create({
            ...trimmed(form),
            claim: formKey,
            attempt,
            locale,
            resemblanceAccepted,
            ...(challenge ? { challenge } : {}),
          }),
        ),
      ),
    onError: (error) => {
      // The operator closed submissions meanwhile: the page shows it.
      if (codeOf(error) === 'SUBMISSIONS_CLOSED')
        void queries.invalidateQueries({ queryKey: rpc.submissions.state.key() });
    },
  });
}

/** A wrong key and an unknown submission look the same, whether the server returns NOT_FOUND or refuses to read it. */
export const isMissing = (error: unknown): boolean => ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error));

/** A submission behind its private link, polled while the page is open. */
export const useSubmission = (id: string, key: string) =>
  useQuery(
    rpc.submissions.read.queryOptions({
      input: { id, key },
      enabled: key !== '',
      refetchOnWindowFocus: 'always',
      refetchInterval: ({ state }) => (state.error ? false : 30_000),
    }),
  );
