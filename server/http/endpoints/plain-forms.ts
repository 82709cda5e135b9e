import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServices } from '#server/http/context.ts';
import { createSignInForm } from './sign-in-form.ts';
import { answerUnsubscribe } from './unsubscribe.ts';

/** Answers a form that a page posted to its own address. */
export type PlainForm = (
  req: IncomingMessage,
  res: ServerResponse,
  at: { pathname: string; query: string },
) => Promise<void>;

/** The answers to forms that work without scripts, by the path of their page; null for the paths of other pages. */
export type PlainForms = (pathname: string) => PlainForm | null;

/** @param api answers requests to /api. */
export function createPlainForms(
  services: Pick<HttpServices, 'contextOf' | 'unsubscribe'>,
  api: (request: Request) => Response | Promise<Response>,
  publicUrl: string,
): PlainForms {
  const signIn = createSignInForm(api, publicUrl);
  const unsubscribe: PlainForm = (req, res, at) => answerUnsubscribe(services, req, res, at);
  const forms = new Map([
    ['/auth', signIn],
    ['/unsubscribe', unsubscribe],
  ]);
  return (pathname) => forms.get(pathname.replace(/^\/en(?=\/)/, '')) ?? null;
}
