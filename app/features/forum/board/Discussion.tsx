import { useState } from 'react';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { Me } from '#contract/domains/auth.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { JoinPrompt } from '../JoinPrompt.tsx';
import { MyWaiting } from '../moderation/MyWaiting.tsx';
import { NewPost } from '../posts/NewPost.tsx';
import type { ImageField } from '../posts/PostExtras.tsx';
import { Board } from './Board.tsx';

interface DiscussionProps {
  token: { kind: TokenKind; id: string; tokenName: string };
  me: Me | null | undefined;
  imageField: ImageField;
}

/** The forum's posts about a token, on the token's page. */
export function Discussion({ token, me, imageField }: DiscussionProps) {
  const { discussion: text } = useText(discussionTexts);
  const href = useHref();
  const [own, setOwn] = useState<string[]>([]);
  return (
    <Section
      title={text.heading(token.tokenName)}
      actions={
        <ButtonLink to={href('/forum')} size="sm" variant="ghost" className="max-sm:-ml-3.5">
          {text.inForum}
        </ButtonLink>
      }
    >
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-7">
        <div className="contents min-w-0 grid-cols-1 gap-5 lg:col-start-2 lg:row-start-1 lg:grid">
          {me ? null : <JoinPrompt />}
          <NewPost
            me={me}
            about={{ kind: token.kind, id: token.id }}
            imageField={imageField}
            onCreated={(id) => setOwn((ids) => [...ids, id])}
          />
        </div>
        <div className="order-1 min-w-0 lg:col-start-1 lg:row-start-1">
          <MyWaiting me={me} />
          <Board
            filter={{ about: token.id }}
            empty={{ title: text.empty(token.tokenName), text: text.emptyText }}
            me={me}
            own={own}
          />
        </div>
      </div>
    </Section>
  );
}
