import { useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { Button } from '#app/ui/controls/Button.tsx';

interface CollapsedTextProps {
  /** Name of the muted author; null for a blocked one, whose text can't be opened. */
  muted: string | null;
  onShow: () => void;
}

/** Placeholder of a text by a muted or blocked author. */
export function CollapsedText({ muted, onShow }: CollapsedTextProps) {
  const { restrictions: text } = useText(profileTexts);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-quiet">
      <p className="min-w-0 wrap-anywhere italic">{muted === null ? text.hidden : text.collapsed(muted)}</p>
      {muted === null ? null : (
        <Button size="sm" variant="ghost" onClick={onShow}>
          {text.show}
        </Button>
      )}
    </div>
  );
}

/** Placeholder of a quotation of a muted or blocked author. */
export function HiddenQuote() {
  return useText(profileTexts).restrictions.quoteHidden;
}
