import { type ComponentType, createContext, createElement, type ReactElement, use } from 'react';

/** Values whose text form holds all of them: anything else could not be part of a fragment's key. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
/** Properties that are JSON. */
type JsonProps<Props> = { [Name in keyof Props]: Props[Name] extends Json ? Props[Name] : never };

/** Inserts the markup of fragments into one document (app/lib/page/fragment-cache.tsx). */
export interface FragmentWriter {
  /** A hook, called while a document is rendered. */
  useFragment(id: number, Content: ComponentType<object>, props: object): ReactElement;
}

/** In browsers, in development and in documents that depend on their reader, fragments are rendered like other components. */
export const FragmentContext = /* @__PURE__ */ createContext<FragmentWriter>({
  useFragment: (_, Content, props) => createElement(Content, props),
});

/** Number of fragments so far: each has its own, which is part of its key. */
let last = 0;

/**
 * Makes a part of public pages a fragment: the server renders it once for its properties, the language, the site and the origin of images,
 * and inserts the cached markup into all documents. Browsers render and hydrate `Content` itself.
 *
 * `Content` is rendered outside of its page: hooks that need queries throw there, and those of the router find the start page of the language.
 * It must not read the clock, or use `useId` or `Suspense`.
 */
// @__NO_SIDE_EFFECTS__
export function fragment<Props extends JsonProps<Props>>(Content: ComponentType<Props>): ComponentType<Props> {
  if (!import.meta.env.SSR) return Content;
  const id = ++last;
  return function Fragment(props) {
    return use(FragmentContext).useFragment(id, Content as ComponentType<object>, props);
  };
}
