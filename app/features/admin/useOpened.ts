import { useAddress } from './kit/useAddress.ts';

/** The record that a dialog shows, kept in the address: a link can open it, and closing it leaves the list as it was. */
export function useOpened(name: string) {
  const { parameters, set } = useAddress();
  return { id: parameters.get(name), open: (id: string) => set({ [name]: id }), close: () => set({ [name]: null }) };
}
