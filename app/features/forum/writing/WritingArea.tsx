import { type ComponentProps, lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Textarea } from '#app/ui/controls/Field.tsx';
import { mentionOf } from '#contract/text/mention.ts';

const Mentions = lazy(() => loadWithRetry(() => import('./Mentions.tsx')));

/** A name that is being typed, up to the caret; with spaces after an opening quote. */
const MENTION = /(?<![\p{L}\p{M}\p{N}._@-])@(?:"([^"@\n]{1,30})|([\p{L}\p{M}\p{N}_.-]{1,30}))$/u;

interface WritingAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'ref' | 'value'> {
  value: string;
  onWrite: (value: string) => void;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A multi-line text field with mentions: after an @, names are suggested. */
export function WritingArea({ value, onWrite, ref, onSelect, ...rest }: WritingAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const area = ref ?? own;
  const [typed, setTyped] = useState<string | null>(null);
  const readCaret = () => {
    const { value: now = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const [, quoted, bare] = (selectionStart === selectionEnd && MENTION.exec(now.slice(0, selectionStart))) || [];
    setTyped(quoted?.trim() || bare || null);
  };
  function pick(name: string) {
    const at = area.current?.selectionStart ?? value.length;
    const before = value.slice(0, at).replace(MENTION, () => `${mentionOf(name) ?? name} `);
    // Synchronous, before the next key: a caret that is moved later would be before the text typed in between.
    flushSync(() => {
      onWrite(before + value.slice(at));
      setTyped(null);
    });
    area.current?.focus();
    area.current?.setSelectionRange(before.length, before.length);
  }
  return (
    <div className="relative min-w-0 flex-1">
      <Textarea
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => {
          onWrite(event.target.value);
          readCaret();
        }}
        onSelect={(event) => {
          onSelect?.(event);
          readCaret();
        }}
      />
      {typed ? (
        <Suspense>
          <Mentions typed={typed} area={area} onPick={pick} onClose={() => setTyped(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}
