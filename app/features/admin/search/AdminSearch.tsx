import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSearchTexts } from '#app/lib/messages/admin/search.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { AdminSearchDialog } from './AdminSearchDialog.tsx';

/** Search over the whole back office: a button in the bar, and Ctrl+K (⌘K) on every screen. */
export function AdminSearch() {
  const messages = useText(adminSearchTexts).find;
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="flex-none"
        title={messages.open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden="true" />
        <span className="max-xl:visually-hidden">{messages.open}</span>
        <span className="text-sm text-quiet max-xl:hidden">Ctrl K</span>
      </Button>
      {open ? <AdminSearchDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
