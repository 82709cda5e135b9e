import { useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { newUserForm, userForm } from '#contract/admin/forms/users.ts';
import type { PersonView } from '#contract/admin/people.ts';
import type { AdminUser } from '#contract/admin/users.ts';
import { USERNAME_MAX } from '#contract/limits.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { putSaved } from '../kit/records/put-saved.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { useRefreshPeople } from '../people/useActions.tsx';

/** Creates an account; its owner gets a link to set the first password. */
export function NewUser({ onClose }: { onClose: () => void }) {
  const messages = useText(adminUsersTexts).users;
  const locale = useLocale();
  const refresh = useRefreshPeople();
  const form = useAdminForm({
    initial: { email: '', username: '', confirmed: true },
    schema: newUserForm,
    messages: { email: messages.form.emailWrong, username: messages.form.usernameWrong },
    duplicate: { email: messages.form.emailTaken, username: messages.form.usernameTaken },
    failed: messages.toast.createFailed,
    screen: 'users',
    stored: { form: 'newUser', record: null },
    submit: async (values) => {
      await client.admin.users.create({ ...values, locale });
      notify.success({ title: messages.toast.created });
      onClose();
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.form.createTitle}
      submitLabel={messages.form.submit}
      fieldNames={{ email: messages.form.email, username: messages.form.username }}
    >
      <p className="text-quiet">{messages.form.createText}</p>
      <Field label={messages.form.email} error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={messages.form.username} hint={messages.form.usernameHint} error={form.errors.username}>
        <Input {...form.text('username')} maxLength={USERNAME_MAX} autoComplete="off" />
      </Field>
      <Checkbox {...form.flag('confirmed')} label={messages.form.confirmed} />
    </FormDialog>
  );
}

/** Changes name or email of an account. */
export function EditUser({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const messages = useText(adminUsersTexts).users;
  const locale = useLocale();
  const refresh = useRefreshPeople();
  const withProof = useStepUp();
  const queries = useQueryClient();
  const { emailHint, emailStaff, emailPending } = messages.form;
  const hint = user.pendingEmail ? emailPending(user.pendingEmail) : user.role === 'user' ? emailHint : emailStaff;
  const form = useAdminForm({
    initial: { email: user.email, username: user.username ?? '' },
    version: user.version,
    schema: userForm,
    messages: { email: messages.form.emailWrong, username: messages.form.usernameWrong },
    duplicate: { email: messages.form.emailTaken, username: messages.form.usernameTaken },
    failed: messages.toast.updateFailed,
    screen: 'users',
    stored: { form: 'user', record: user },
    submit: async (values, version) => {
      const saved = await withProof(() => client.admin.users.update({ id: user.id, version, ...values, locale }));
      putSaved(queries, rpc.admin.users.list.key(), saved);
      queries.setQueriesData<PersonView>(
        { queryKey: rpc.admin.people.read.key() },
        (old) => old && (old.user.id === saved.id ? { ...old, user: saved } : old),
      );
      const waits = saved.pendingEmail !== null && saved.email !== values.email.trim().toLowerCase();
      notify.success({ title: messages.toast.updated, ...(waits ? { text: messages.form.emailWaits } : {}) });
      onClose();
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.form.editTitle(user.email)}
      submitLabel={messages.form.save}
      fieldNames={{ email: messages.form.email, username: messages.form.username }}
    >
      <OthersEditing kind="user" id={user.id} />
      <Field label={messages.form.email} hint={hint} error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={messages.form.username} error={form.errors.username}>
        <Input {...form.text('username')} maxLength={USERNAME_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
