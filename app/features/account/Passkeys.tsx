import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { createPasskey } from '#app/lib/session/passkey.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import type { PasskeyInfo } from '#contract/domains/passkeys.ts';
import { PASSKEY_NAME_MAX } from '#contract/limits.ts';
import { AccountSection } from './AccountSection.tsx';
import { useFailureText } from './account.queries.ts';
import { Codes } from './SecondFactor.tsx';
import { StepUpForm } from './StepUpForm.tsx';
import { type ConfirmedAction, useConfirmedAction } from './useConfirmedAction.ts';

/** Passkeys of the account: adding, naming, removing. */
export function PasskeysPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const messages = text.account.passkeys;
  const list = useQuery(rpc.account.passkeys.list.queryOptions({}));
  const failureOf = useFailureText();
  const [codes, setCodes] = useState<string[] | null>(null);
  /** Name of the next passkey; preserved while the step-up form replaces the form. */
  const [name, setName] = useState('');
  const action = useConfirmedAction();
  const count = list.data?.length ?? account.passkeys;
  return (
    <AccountSection
      title={messages.heading}
      badge={<Badge tone={count > 0 ? 'mint' : 'neutral'}>{count}</Badge>}
      lead={messages.lead}
    >
      {account.passkeyNeeded ? <p role="status">{messages.needed}</p> : null}
      {codes ? <Codes codes={codes} onStored={() => setCodes(null)} /> : null}
      {list.isError && !list.data ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{failureOf(list.error)}</p>
          <Button onClick={() => void list.refetch()}>{text.account.retry}</Button>
        </div>
      ) : null}
      {list.data?.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      {list.data && list.data.length > 0 ? (
        <ul className="grid gap-3">
          {list.data.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} action={action} />
          ))}
        </ul>
      ) : null}
      {action.proof ? (
        <StepUpForm account={account} {...action.proof} />
      ) : account.passkeysPossible ? (
        account.emailVerified ? (
          <Add action={action} name={name} onName={setName} onCodes={setCodes} />
        ) : (
          <p className="text-quiet">{text.account.second.verifyFirst}</p>
        )
      ) : (
        <p className="text-quiet">{messages.impossible}</p>
      )}
    </AccountSection>
  );
}

interface AddProps {
  action: ConfirmedAction;
  name: string;
  onName: (name: string) => void;
  onCodes: (codes: string[] | null) => void;
}

function Add({ action, name, onName, onCodes }: AddProps) {
  const messages = useText(accountTexts).account.passkeys;
  const locale = useLocale();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = name.trim();
    if (!given) return event.currentTarget.querySelector('input')?.focus();
    action.run(async () => {
      const response = await createPasskey(await client.account.passkeys.startAdding(undefined));
      const { recoveryCodes } = await client.account.passkeys.add({ response, name: given, locale });
      if (recoveryCodes.length > 0) onCodes(recoveryCodes);
      onName('');
      return messages.added;
    });
  }
  return (
    <form noValidate onSubmit={submit} aria-label={messages.add} className="grid gap-4">
      <Field label={messages.name} hint={messages.nameHint}>
        <Input
          name="passkeyName"
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          value={name}
          onChange={(event) => onName(event.target.value)}
        />
      </Field>
      <Button type="submit" className="justify-self-start" busy={action.busy} busyLabel={messages.adding}>
        {messages.add}
      </Button>
    </form>
  );
}

function Row({ passkey, action }: { passkey: PasskeyInfo; action: ConfirmedAction }) {
  const text = useText(accountTexts);
  const messages = text.account.passkeys;
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const { id, name } = passkey;
  const remove = () =>
    action.run(async () => {
      await client.account.passkeys.remove({ id, locale });
      return messages.removed;
    });
  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const next = typed(event.currentTarget, 'passkeyName').trim();
    if (!next) return;
    if (next === name) return setRenaming(false);
    action.run(async () => {
      await client.account.passkeys.rename({ id, name: next });
      // Only after success: a refusal leaves the form open with its input.
      setRenaming(false);
      return messages.renamed;
    });
  }
  if (renaming)
    return (
      <li>
        <form noValidate onSubmit={rename} aria-label={messages.renameOf(name)} className="grid gap-3">
          <Field label={messages.name}>
            <Input name="passkeyName" autoComplete="off" maxLength={PASSKEY_NAME_MAX} defaultValue={name} autoFocus />
          </Field>
          <div className="flex flex-wrap gap-3">
            <Button size="sm" type="submit" busy={action.busy} busyLabel={text.account.saving}>
              {text.account.save}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setRenaming(false)}>
              {text.account.cancel}
            </Button>
          </div>
        </form>
      </li>
    );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="break-words">{name}</span>
          {passkey.backedUp ? <Badge tone="neutral">{messages.backedUp}</Badge> : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
          <span>{messages.made(dateTime(passkey.createdAt, locale))}</span>
          <span>{passkey.lastUsedAt ? messages.used(dateTime(passkey.lastUsedAt, locale)) : messages.unused}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="ghost" aria-label={messages.renameOf(name)} onClick={() => setRenaming(true)}>
          {messages.rename}
        </Button>
        <Button size="sm" aria-label={messages.removeOf(name)} onClick={remove}>
          {messages.remove}
        </Button>
      </div>
    </li>
  );
}
