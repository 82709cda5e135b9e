import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Card } from '#app/ui/layout/Card.tsx';

/** Invites visitors to sign in or register. */
export function JoinPrompt() {
  const text = useText(forumTexts);
  const href = useHref();
  const here = useReturnHere();
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5 in-data-[member]:hidden">
      <div className="min-w-0 flex-[1_1_14rem]">
        <h2 className="text-[1.375rem]">{text.forum.join}</h2>
        <p className="mt-1.5 text-quiet">{text.forum.joinText}</p>
      </div>
      <ButtonLink to={href('/auth')} state={here} variant="primary">
        {text.forum.joinAction}
      </ButtonLink>
    </Card>
  );
}
