import { useSearchParams } from 'react-router';

/** The record that a dialog shows, kept in the address: a link can open it, and closing it leaves the list as it was. */
export function useOpened(name: string) {
  const [parameters, setParameters] = useSearchParams();
  const show = (id: string | null) => {
    const next = new URLSearchParams(parameters);
    if (id) next.set(name, id);
    else next.delete(name);
    setParameters(next, { replace: true, preventScrollReset: true });
  };
  return { id: parameters.get(name), open: (id: string) => show(id), close: () => show(null) };
}
