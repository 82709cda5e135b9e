import { useQueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminImageFieldTexts } from '#app/lib/messages/admin/image-field.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { FormSchema } from '../kit/forms/form-schema.ts';
import { useImageRefusal } from '../kit/forms/ImageField.tsx';
import type { Values } from '../kit/forms/merge.ts';
import { type FormSpec, useAdminForm } from '../kit/forms/useAdminForm.ts';
import { putSaved } from '../kit/records/put-saved.ts';
import { useRecordFailure } from './failures.ts';
import { TOKEN_READERS, tokenFieldMessages } from './token-values.ts';

interface TokenFormSpec<V extends Values, S extends FormSchema>
  extends Pick<FormSpec<V, S>, 'initial' | 'messages' | 'readers' | 'check' | 'duplicate' | 'fieldErrors'> {
  kind: 'projects' | 'next';
  schema: S;
  /** Key under which unsaved input survives the end of the session. */
  cacheKeyOf: string;
  /** Null for a new project. */
  project: { id: string; version: number } | null;
  /** Returns the saved record. */
  submit: (input: Parameters<FormSpec<V, S>['submit']>[0], version: number) => Promise<{ id: string }>;
  onClose: () => void;
  /** Refetches the queries that show it. */
  refresh: () => Promise<unknown>;
}

/** A form of a project on home or of a NEXT project: the shared behaviour, with options for the differences. */
export function useTokenForm<V extends Values, S extends FormSchema>(spec: TokenFormSpec<V, S>) {
  const messages = useText(adminProjectsTexts).projects;
  const image = useText(adminImageFieldTexts).image;
  const failure = useRecordFailure(spec.kind);
  const refusal = useImageRefusal();
  const queries = useQueryClient();
  const { project } = spec;
  const lists = { projects: rpc.admin.projects.list.key(), next: rpc.admin.nextProjects.list.key() }[spec.kind];
  return useAdminForm<V, S>({
    initial: spec.initial,
    version: project?.version ?? 0,
    schema: spec.schema,
    messages: { ...tokenFieldMessages(messages.fieldError, image), ...spec.messages },
    readers: { ...TOKEN_READERS, ...spec.readers },
    check: spec.check,
    duplicate: spec.duplicate,
    failed: failure(project ? 'update' : 'create'),
    fieldErrors: (error) => {
      const refused = refusal(error);
      const image = (refused ? { imageUrl: refused } : {}) as Partial<Record<keyof V & string, string>>;
      return { ...image, ...spec.fieldErrors?.(error) };
    },
    screen: spec.kind,
    stored: { form: spec.cacheKeyOf, record: project },
    submit: async (input, version) => {
      putSaved(queries, lists, await spec.submit(input, version));
      notify.success({ title: project ? messages.done.update : messages.done.create });
      spec.onClose();
      await spec.refresh();
    },
  });
}
