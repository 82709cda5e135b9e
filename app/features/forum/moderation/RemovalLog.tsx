import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import { removalState } from './removal-state.ts';
import { removalLogQuery } from './removals.queries.ts';

/** Texts that the team removed, without names of members, newest first. */
export function RemovalLog() {
  const messages = useText(removalTexts).removals;
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery({ ...removalLogQuery(page), placeholderData: keepPreviousData });
  return (
    <Section title={messages.log}>
      {isError && !data ? <p role="alert">{messages.unread}</p> : null}
      {data?.items.length === 0 ? <p className="text-quiet">{messages.logEmpty}</p> : null}
      <ul className="grid gap-2">
        {data?.items.map(({ id, what, rule, by, at, outcome, appealed, unseen, decidedAlone }) => (
          <li key={id} className="card flex flex-wrap gap-x-4 gap-y-1 p-3">
            <span className="text-quiet">
              <LocalTime iso={at} />
            </span>
            <span>{(unseen ? messages.declined : messages.removed)(messages.kinds[what], messages.by[by])}</span>
            <span>{messages.rules[rule]}</span>
            <strong>{messages.states[removalState({ outcome, appealed, unseen })]}</strong>
            {decidedAlone ? <span className="text-quiet">{messages.decidedAlone}</span> : null}
          </li>
        ))}
      </ul>
      {page > 1 || data?.more ? (
        <div className="mt-4 flex gap-2">
          {page > 1 ? <Button onClick={() => setPage(page - 1)}>{messages.newer}</Button> : null}
          {data?.more ? <Button onClick={() => setPage(page + 1)}>{messages.older}</Button> : null}
        </div>
      ) : null}
    </Section>
  );
}
