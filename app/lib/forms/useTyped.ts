import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * Text of a field that is typed over an applied one, such as a parameter of the address, and replaced when that changes. A field that
 * is mounted anew for it would lose the focus.
 */
export function useTyped(applied: string): [string, Dispatch<SetStateAction<string>>] {
  const [typed, setTyped] = useState(applied);
  const [seen, setSeen] = useState(applied);
  if (seen !== applied) {
    setSeen(applied);
    setTyped(applied);
  }
  return [typed, setTyped];
}
