import { Share2 } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';

/** Shares this page with the device's own dialog, or copies its URL. */
export function ShareButton({ title }: { title: string }) {
  const text = useText(tokenTexts);
  async function share() {
    const url = window.location.href;
    try {
      if (navigator.share) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        notify.success({ title: text.token.shareDone });
      }
    } catch (error) {
      // Closing the device's dialog is not an error.
      if ((error as Error).name !== 'AbortError') notify.error({ title: text.token.shareFailed, text: url });
    }
  }
  return (
    <Button onClick={() => void share()}>
      <Share2 aria-hidden="true" />
      {text.token.share}
    </Button>
  );
}
