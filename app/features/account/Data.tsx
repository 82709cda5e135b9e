import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/failure.ts';
import { useText } from '#app/lib/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notify.ts';
import { client, rpc } from '#app/lib/rpc.ts';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';
import { Field, Input } from '#app/ui/Field.tsx';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { download, typed, useErrors, useFailed, useFailureText } from './account.queries.ts';
import { Part } from './Part.tsx';

/** Taking one's data along, and leaving. `onRemoved` runs once the account is gone. */
export function DataPart({ onRemoved }: { onRemoved: () => unknown }) {
  const text = useText(accountTexts);
  const words = text.account.data;
  const failed = useFailed();
  const [asking, setAsking] = useState(false);
  const take = useMutation({
    mutationFn: () => client.account.export(),
    onSuccess: (data) => download('florka.json', 'application/json', JSON.stringify(data, null, 2)),
    onError: failed,
  });
  return (
    <Part title={words.heading}>
      <p className="text-quiet">{words.exportText}</p>
      <Button
        className="justify-self-start"
        busy={take.isPending}
        busyLabel={words.exporting}
        onClick={() => take.mutate()}
      >
        {words.export}
      </Button>
      <div className="grid gap-4 border-t border-line pt-4">
        <p className="text-quiet">{words.removeText}</p>
        <Button className="justify-self-start" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      </div>
      <Removal open={asking} onOpenChange={setAsking} onRemoved={onRemoved} />
    </Part>
  );
}

interface RemovalProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRemoved: () => unknown;
}

function Removal({ open, onOpenChange, onRemoved }: RemovalProps) {
  const text = useText(accountTexts);
  const words = text.account.removal;
  const failureText = useFailureText();
  const { errors, show } = useErrors<'password'>();
  const remove = useMutation(
    rpc.account.remove.mutationOptions({
      onSuccess: () => {
        notify.success({ title: words.done });
        return onRemoved();
      },
    }),
  );
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onOpenChange={(next) => {
        show(null, {});
        onOpenChange(next);
      }}
      title={words.heading}
      description={words.text}
    >
      <form
        noValidate
        aria-label={words.heading}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const password = typed(form, 'password');
          if (!password || remove.isPending) return;
          show(form, {});
          remove.mutate(
            { password },
            {
              onError: (error) =>
                show(form, {
                  password: codeOf(error) === 'BAD_REQUEST' ? text.failure.WRONG_PASSWORD : failureText(error),
                }),
            },
          );
        }}
      >
        <Field label={text.account.password} error={errors.password}>
          <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <div className="dialog-actions">
          <Button onClick={() => onOpenChange(false)}>{text.account.cancel}</Button>
          <Button type="submit" variant="danger" busy={remove.isPending} busyLabel={words.removing}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
