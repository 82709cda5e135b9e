import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Values } from './merge.ts';

/** Where this tab keeps a form whose session ended while something was typed in it. */
const STORAGE_KEY = 'florka-kept-form';

interface StoredForm {
  /** Which form: 'project', 'network'. */
  form: string;
  /** Which record, 'new' for none. */
  id: string;
  /** The record itself, for whoever opens the form again; null for a new one. */
  record: unknown;
  values: Values;
  /** What the form began with, and the version of that. */
  base: Values;
  version: number;
  /** Whose words they are: nobody else gets them back. */
  email: string;
}

const sessionOf = (queries: QueryClient) => queries.getQueryData(rpc.admin.session.queryKey());

/** The server said that nobody is in the back office here any more. */
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

/** Forgets what was kept. */
export function dropStoredForm(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // A browser without storage kept nothing.
  }
}

function write(stored: StoredForm): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // Full or forbidden: then the words are lost as they would be without this.
  }
}

/** Forgets what somebody else typed. */
export function dropFormOfOthers(email: string): void {
  if (read()?.email !== email) dropStoredForm();
}

/** True while a form waits for its writer to sign in again. */
export const hasStoredForm = (): boolean => read() !== null;

/** What was kept of a form, for its writer only. */
export function storedFormOf(queries: QueryClient, form: string): StoredForm | null {
  const stored = read();
  return stored && stored.form === form && stored.email === sessionOf(queries)?.email ? stored : null;
}

/** Opens the form again in which the reader was writing when the session ended. `open` gets its record, null for a new one. */
export function useReopenedForm<Row>(form: string, open: (record: Row | null) => void): void {
  const queries = useQueryClient();
  const opener = useRef(open);
  useEffect(() => {
    const stored = storedFormOf(queries, form);
    if (stored) opener.current(stored.record as Row | null);
  }, [queries, form]);
}

/** Keeps what is typed when the form goes away because its session ended. */
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
