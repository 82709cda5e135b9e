import { useAddress } from './kit/useAddress.ts';

/** Id of the record shown in a dialog, as a parameter of the address: a link can open it, and closing it leaves the list as it was. */
export function useOpened(name: string) {
  const { parameters, set } = useAddress();
  return { id: parameters.get(name), open: (id: string) => set({ [name]: id }), close: () => set({ [name]: null }) };
}
