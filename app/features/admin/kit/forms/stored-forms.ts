import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Values } from './merge.ts';

/** Keys of sessionStorage for forms whose session ended while they had unsaved input: this, and the name of the form. */
const STORAGE_KEY = 'florka-stored-form:';

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

/** Storage that is blocked or full keeps nothing: the input is lost, as it would be without this feature. */
function withStorage<T>(work: (storage: Storage) => T, otherwise: T): T {
  if (typeof sessionStorage === 'undefined') return otherwise;
  try {
    return work(sessionStorage);
  } catch {
    return otherwise;
  }
}

const read = (form: string): StoredForm | null =>
  withStorage((storage) => JSON.parse(storage.getItem(STORAGE_KEY + form) ?? 'null') as StoredForm | null, null);

/** Names of the stored forms. */
const storedForms = (): string[] =>
  withStorage(
    (storage) =>
      Object.keys(storage)
        .filter((key) => key.startsWith(STORAGE_KEY))
        .map((key) => key.slice(STORAGE_KEY.length)),
    [],
  );

/** Deletes a stored form, whoever typed it. */
export const dropStoredForm = (form: string): void =>
  withStorage((storage) => storage.removeItem(STORAGE_KEY + form), undefined);

/** Deletes the stored forms; with an email, only those of other users. */
export function dropStoredForms(but?: string): void {
  for (const form of storedForms()) if (but === undefined || read(form)?.email !== but) dropStoredForm(form);
}

const write = (stored: StoredForm): void =>
  withStorage((storage) => storage.setItem(STORAGE_KEY + stored.form, JSON.stringify(stored)), undefined);

/** True while a form is stored until its user signs in again. */
export const hasStoredForm = (): boolean => storedForms().length > 0;

/** The stored values of a form, for the user who typed them only. */
export function storedFormOf(queries: QueryClient, form: string): StoredForm | null {
  const stored = read(form);
  return stored && stored.email === sessionOf(queries)?.email ? stored : null;
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
