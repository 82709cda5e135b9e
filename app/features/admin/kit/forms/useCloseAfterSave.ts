import { useQueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { notify } from '#app/lib/notices/notify.ts';

/** For the end of `submit` in a dialog: shows a notice with this title, closes the dialog and refetches the back office. */
export function useCloseAfterSave(onClose: () => void): (title: string) => Promise<void> {
  const queries = useQueryClient();
  return async (title) => {
    notify.success({ title });
    onClose();
    await queries.invalidateQueries({ queryKey: rpc.admin.key() });
  };
}
