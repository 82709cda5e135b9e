import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Values } from './merge.ts';

/** Key of sessionStorage for a form whose session ended while it had unsaved input. */
const STORAGE_KEY = 'florka-kept-form';

interface StoredForm {
  /** Name of the form: 'project', 'network'. */
  form: string;
  /** Id of the record; 'new' for a new one. */
  id: string;
  /** The record itself, to open the form again; null for a new one. */
  record: unknown;
  values: Values;
  /** The initial values of the form, and the version of the record they came from. */
  base: Values;
  version: number;
  /** Email of the user who typed the input: it is restored for nobody else. */
  email: string;
}

const sessionOf = (queries: QueryClient) => queries.getQueryData(rpc.admin.session.queryKey());

/** The server reported that this tab has no session in the back office any more. */
const isSessionLost = (queries: QueryClient): boolean => {
  const me = queries.getQueryData(rpc.auth.me.queryKey());
  return sessionOf(queries) === null || (me !== undefined && !me?.isAdmin);
};

function read(): StoredForm | null {
  if (typeof sessionStorage === 'undefined') return null;
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as StoredForm | null;
  } catch {
    return null;
  }
}

/** Deletes the stored form. */
export function dropStoredForm(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is not available: nothing was stored.
  }
}

function write(stored: StoredForm): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // Storage is full or blocked: the input is lost, as it would be without this feature.
  }
}

/** Deletes a stored form of another user. */
export function dropFormOfOthers(email: string): void {
  if (read()?.email !== email) dropStoredForm();
}

/** True while a form is stored until its user signs in again. */
export const hasStoredForm = (): boolean => read() !== null;

/** The stored values of a form, for the user who typed them only. */
export function storedFormOf(queries: QueryClient, form: string): StoredForm | null {
  const stored = read();
  return stored && stored.form === form && stored.email === sessionOf(queries)?.email ? stored : null;
}

/** Opens the form again that the user was editing when the session ended. `open` receives its record, null for a new one. */
export function useReopenedForm<Row>(form: string, open: (record: Row | null) => void): void {
  const queries = useQueryClient();
  const opener = useRef(open);
  useEffect(() => {
    const stored = storedFormOf(queries, form);
    if (stored) opener.current(stored.record as Row | null);
  }, [queries, form]);
}

/** Stores the input when the form is unmounted because its session ended. */
export function useStoredForm(state: Omit<StoredForm, 'email'> & { dirty: boolean }): void {
  const queries = useQueryClient();
  const latest = useRef(state);
  const email = useRef('');
  useEffect(() => {
    latest.current = state;
    email.current = sessionOf(queries)?.email ?? email.current;
  });
  useEffect(
    () => () => {
      const { dirty, ...stored } = latest.current;
      if (stored.form && dirty && email.current && isSessionLost(queries)) write({ ...stored, email: email.current });
    },
    [queries],
  );
}
