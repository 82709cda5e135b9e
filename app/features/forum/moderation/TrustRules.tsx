import { useQuery } from '@tanstack/react-query';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { reviewTexts } from '#app/lib/messages/review.ts';
import { Section } from '#app/ui/layout/Page.tsx';
import { removalLogQuery } from './removals.queries.ts';
import { myReviewQuery } from './review.queries.ts';

/** Which texts wait for a review, and the rules of the levels of trust; with the member's own level. */
export function TrustRules({ signedIn }: { signedIn: boolean }) {
  const messages = useText(reviewTexts).review;
  const { data: log } = useQuery(removalLogQuery(1));
  const { data: mine } = useQuery({ ...myReviewQuery(), enabled: signedIn });
  return (
    <Section title={messages.heading}>
      {log ? <p className="mb-3 font-semibold">{log.reviews ? messages.on : messages.off}</p> : null}
      <ul className="max-w-[44rem] list-disc pl-6">
        {([0, 1, 2] as const).map((level) => (
          <li key={level}>{messages.levels[level]}</li>
        ))}
        {messages.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {signedIn && mine ? (
        <p className="mt-3 font-semibold">
          {messages.level(mine.level)} {mine.held ? messages.held : null}
        </p>
      ) : null}
    </Section>
  );
}
