import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type MarkupNode, parseDocument, parseMarkup } from '#contract/text/markup.ts';
import { useHref, useText } from '../i18n/i18n.tsx';
import { useTextLanguage } from '../i18n/text-language.ts';
import { newsTexts } from '../messages/news.ts';

/** External links of users: not endorsed, and without access to the page that opened them. */
const OUTSIDE = { target: '_blank', rel: 'noopener nofollow ugc' } as const;

/** Text with the product's light markup as React nodes: anything else stays text, so it can never become code. */
export function Markup({ source }: { source: string }) {
  const lang = useTextLanguage()(source);
  return parseMarkup(source).map((paragraph, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a paragraph is its place.
    <p key={i} dir="auto" lang={lang} className="whitespace-pre-line">
      {inline(paragraph.nodes)}
    </p>
  ));
}

/** A longer text with headings and lists, written by the site's operators. */
export function MarkupDocument({ source }: { source: string }) {
  return parseDocument(source).map((block, i) => {
    // The key of a block is its index.
    const key = `${i}`;
    if (block.kind === 'heading') return <h2 key={key}>{inline(block.nodes)}</h2>;
    if (block.kind === 'paragraph')
      return (
        <p key={key} className="whitespace-pre-line">
          {inline(block.nodes)}
        </p>
      );
    return (
      <ul key={key}>
        {block.items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place.
          <li key={at}>{inline(item)}</li>
        ))}
      </ul>
    );
  });
}

// biome-ignore lint/suspicious/noArrayIndexKey: a node is its place in the text.
const inline = (nodes: MarkupNode[]): ReactNode[] => nodes.map((node, i) => <Inline key={i} node={node} />);

function Inline({ node }: { node: MarkupNode }): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'bold':
      return <strong>{inline(node.children)}</strong>;
    case 'italic':
      return <em>{inline(node.children)}</em>;
    case 'link':
      if (node.href.startsWith('/')) return <OwnPage to={node.href}>{inline(node.children)}</OwnPage>;
      if (node.href.startsWith('mailto:'))
        return (
          <a href={node.href} className="link">
            {inline(node.children)}
          </a>
        );
      return <Outside href={node.href}>{inline(node.children)}</Outside>;
    case 'thumbnail':
      return <Thumbnail href={node.href} image={node.image} title={node.title} />;
  }
}

/** Addresses of the API and of files are not pages of the app. */
function OwnPage({ to, children }: { to: string; children: ReactNode }) {
  const href = useHref();
  if (/^\/(api|uploads|media)\b|\.\w{2,5}$/.test(to))
    return (
      <a href={to} className="link">
        {children}
      </a>
    );
  return (
    <Link to={href(to)} className="link">
      {children}
    </Link>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  const text = useText(newsTexts);
  return (
    <a href={href} {...OUTSIDE} className="link">
      {children}
      <span className="visually-hidden"> ({text.shared.newTab})</span>
    </a>
  );
}

/** A still image of a video, linked to it. Without the image its title is shown. */
function Thumbnail({ href, image, title }: { href: string; image: string; title: string }) {
  const text = useText(newsTexts);
  return (
    <a
      href={href}
      {...OUTSIDE}
      className="group relative my-2 block aspect-video w-full max-w-xl overflow-hidden rounded-card border border-line bg-board text-board-text"
    >
      <img
        // The content security policy allows https images only.
        src={image.replace(/^http:/i, 'https:')}
        alt=""
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className="absolute inset-0 size-full object-cover"
        ref={(picture) => {
          if (picture?.complete && picture.naturalWidth === 0) picture.hidden = true;
        }}
        onError={({ currentTarget }) => {
          currentTarget.hidden = true;
        }}
      />
      <span className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-lead text-on-lead transition-transform group-hover:scale-105">
        <Play aria-hidden="true" className="size-7" />
      </span>
      <span className="absolute inset-x-0 bottom-0 bg-board px-4 py-2 text-sm font-semibold">
        {title || text.news.video}
        <span className="visually-hidden"> ({text.shared.newTab})</span>
      </span>
    </a>
  );
}
