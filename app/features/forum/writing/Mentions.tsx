import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { cx } from '#app/ui/cx.ts';

interface MentionsProps {
  /** The beginning of a name. */
  typed: string;
  area: RefObject<HTMLTextAreaElement | null>;
  onPick: (name: string) => void;
  onClose: () => void;
}

/** Suggested names with the typed prefix, below the text: arrow keys choose, Enter or Tab inserts one, Escape closes the list. */
export default function Mentions({ typed, area, onPick, onClose }: MentionsProps) {
  const text = useText(discussionTexts).discussion;
  const id = useId();
  const { data } = useQuery({
    ...rpc.forum.names.queryOptions({ input: { q: typed } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const [at, setAt] = useState(0);
  const normalized = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const names = data?.names.filter((name) => normalized(name).startsWith(normalized(typed))) ?? [];
  const chosen = Math.min(at, names.length - 1);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (names.length === 0 || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((chosen + step + names.length) % names.length);
    else if (event.key === 'Escape') onClose();
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      onPick(names[chosen] ?? '');
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const here = area.current;
    const listen = (event: KeyboardEvent) => onKey(event);
    const leave = () => onClose();
    here?.addEventListener('keydown', listen, true);
    here?.addEventListener('blur', leave);
    return () => {
      here?.removeEventListener('keydown', listen, true);
      here?.removeEventListener('blur', leave);
    };
  }, [area, onClose]);
  const active = names.length > 0 ? `${id}-${chosen}` : null;
  useEffect(() => {
    const here = area.current;
    if (!here || !active) return;
    here.setAttribute('aria-autocomplete', 'list');
    here.setAttribute('aria-controls', id);
    here.setAttribute('aria-activedescendant', active);
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) here.removeAttribute(name);
    };
  }, [area, active, id]);
  return (
    <>
      <p role="status" className="visually-hidden">
        {data ? text.namesFound(names.length) : ''}
      </p>
      {names.length > 0 ? (
        <div
          id={id}
          role="listbox"
          aria-label={text.names}
          className="absolute top-full left-0 z-30 mt-1 grid w-full max-w-72 rounded-control border border-line bg-panel p-1 shadow-float"
        >
          {names.map((name, index) => (
            <div
              key={name}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={cx(
                'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-control px-2',
                index === chosen && 'bg-raised',
              )}
              onPointerDown={(event) => {
                event.preventDefault();
                onPick(name);
              }}
            >
              <Avatar name={name} size={26} className="flex-none" />
              <bdi className="truncate">{name}</bdi>
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}
