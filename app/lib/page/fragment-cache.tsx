// Server only: imported by entry.server.tsx.
import { randomUUID } from 'node:crypto';
import { type ComponentType, createElement, use } from 'react';
import { preload } from 'react-dom';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { AssetsBase } from '#app/ui/assets.ts';
import type { FragmentWriter } from '#app/ui/fragment.ts';
import { type Language, LanguageContext, localize, type Site, SiteProvider, useSite } from '../i18n/i18n.tsx';

/** What a fragment depends on besides its properties. */
export interface FragmentScope {
  /** Null outside of the pages of a language. */
  language: Language | null;
  site: Site;
  /** Origin of images; empty: the site itself. */
  assets: string;
}

interface Fragment {
  /** One character per byte (latin1) of its UTF-8. */
  markup: string;
  /** Addresses of the images that React preloads with it. */
  preloads: readonly string[];
}

/** Maximum size of each of the two halves of the cache: characters of keys and markup, one byte each. */
const HALF = 4 * 1024 * 1024;

/** Appears in the ids of `useId`, which count from the root of a render and would differ in the page. Random: content cannot contain it. */
const ID_MARK = randomUUID();

/**
 * Markup of fragments, the same for every visitor, by everything that it depends on. A fragment is rendered outside of its page with
 * nothing but that, so nothing else can influence it. What was not used since a half filled up is dropped.
 */
export class FragmentCache {
  #young = new Map<string, Fragment>();
  #old = new Map<string, Fragment>();
  #size = 0;
  /** Position of each catalogue and text form of each site: they are few, live long, and are part of every key. */
  readonly #catalogues = new WeakMap<object, number>();
  readonly #sites = new WeakMap<object, string>();
  #lastCatalogue = 0;

  /**
   * The cached fragment, or a new one.
   *
   * @param props JSON values.
   * @throws Error for a component that is not suited to be a fragment.
   */
  find(id: number, Content: ComponentType<object>, props: object, scope: FragmentScope): Fragment {
    const key = `${id} ${this.#scopeKey(scope)} ${JSON.stringify(props)}`;
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const made = this.#old.get(key) ?? render(Content, props, scope);
    const size = key.length + made.markup.length;
    if (this.#size + size > HALF) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    this.#size += size;
    this.#young.set(key, made);
    return made;
  }

  #scopeKey({ language, site, assets }: FragmentScope): string {
    const about = this.#sites.get(site) ?? JSON.stringify(site);
    this.#sites.set(site, about);
    return `${language ? this.#languageKey(language) : ''} ${about} ${JSON.stringify(assets)}`;
  }

  #languageKey({ locale, text }: Language): string {
    const catalogue = this.#catalogues.get(text) ?? ++this.#lastCatalogue;
    this.#catalogues.set(text, catalogue);
    return `${locale}${catalogue}`;
  }
}

function render(Content: ComponentType<object>, props: object, scope: FragmentScope): Fragment {
  const { language, site, assets } = scope;
  // Links to other pages need the language of the path, and nothing else of it.
  const html = renderToString(
    <StaticRouter location={localize('/', language?.locale ?? 'es')}>
      <SiteProvider value={site}>
        <LanguageContext value={language}>
          <AssetsBase value={assets}>{createElement(Content, props)}</AssetsBase>
        </LanguageContext>
      </SiteProvider>
    </StaticRouter>,
    { identifierPrefix: ID_MARK },
  );
  if (html.includes(ID_MARK)) throw new Error(`a fragment uses useId: ${html.slice(0, 200)}`);
  if (html.includes('<!--$')) throw new Error(`a fragment uses Suspense: ${html.slice(0, 200)}`);
  const [head = ''] = PRELOADS.exec(html) ?? [];
  return {
    markup: Buffer.from(html.slice(head.length), 'utf8').toString('latin1'),
    preloads: [...head.matchAll(PRELOADED)].map(([, href = '']) => unescaped(href)),
  };
}

/** What React writes before a part of a document for its images. */
const PRELOADS = /^(?:<link rel="preload" as="image" href="[^"]*"\/>)+/;
const PRELOADED = /href="([^"]*)"/g;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&gt;': '>', '&lt;': '<', '&quot;': '"', '&#x27;': "'" };
const unescaped = (text: string) => text.replace(/&(?:amp|gt|lt|quot|#x27);/g, (one) => ENTITIES[one] ?? one);

/** The fragments of one document: each has a placeholder, which `fill` replaces in the finished document. */
export class DocumentFragments implements FragmentWriter {
  readonly #cache: FragmentCache;
  readonly #nonce: string;
  readonly #markup: string[] = [];

  /** @param nonce random and new for each document, so that no content can contain a placeholder. */
  constructor(cache: FragmentCache, nonce: string) {
    this.#cache = cache;
    this.#nonce = nonce;
  }

  useFragment(id: number, Content: ComponentType<object>, props: object) {
    const scope = { language: use(LanguageContext), site: useSite(), assets: use(AssetsBase) };
    const { markup, preloads } = this.#cache.find(id, Content, props, scope);
    for (const href of preloads) preload(href, { as: 'image' });
    const position = this.#markup.push(markup) - 1;
    return <i id={`${this.#nonce}.${position}`} />;
  }

  /** @param html and result: one character per byte. */
  fill(html: string): string {
    const [first = '', ...rest] = html.split(`<i id="${this.#nonce}.`);
    return (
      first +
      rest
        .map((part) => {
          const end = part.indexOf('"></i>');
          return (this.#markup[Number(part.slice(0, end))] ?? '') + part.slice(end + '"></i>'.length);
        })
        .join('')
    );
  }
}
