import { useQueryParameters } from './kit/useQueryParameters.ts';

/** Id of the record shown in a dialog, as a parameter of the address: a link can open it, and closing it leaves the list as it was. */
export function useOpenRecord(name: string) {
  const { parameters, set } = useQueryParameters();
  return { id: parameters.get(name), open: (id: string) => set({ [name]: id }), close: () => set({ [name]: null }) };
}
