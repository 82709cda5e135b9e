import { useQueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { notify } from '#app/lib/notices/notify.ts';

/**
 * What follows on the saving of a dialog's form: the notice, the dialog is closed, and all data of the back office are read again.
 *
 * @param onClose closes the dialog.
 * @returns a function of the notice's title, for the end of `submit`.
 */
export function useCloseAfterSave(onClose: () => void): (title: string) => Promise<void> {
  const queries = useQueryClient();
  return async (title) => {
    notify.success({ title });
    onClose();
    await queries.invalidateQueries({ queryKey: rpc.admin.key() });
  };
}
