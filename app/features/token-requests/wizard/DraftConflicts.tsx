import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { LazyDialog } from '#app/lib/page/LazyDialog.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { useNetworks } from './Fields.tsx';
import type { FieldName } from './stored-draft.ts';
import { draftStore, useDraft } from './useDraft.ts';

/** Lets the user choose between drafts, or between two values of their fields. */
export function DraftConflicts({ onOpened }: { onOpened: (step: number) => void }) {
  return (
    <>
      <ConflictChoice />
      <ArrivalChoice onOpened={onOpened} />
    </>
  );
}

/** Two devices changed the same field. Until the user chooses, neither value is lost. */
function ConflictChoice() {
  const text = useText(createLaterTexts).create;
  const { conflict, data } = useDraft();
  const label = useLabel();
  const shown = useShown();
  if (!conflict) return null;
  return (
    <LazyDialog
      open
      onOpenChange={() => {}}
      role="alertdialog"
      title={text.conflict.title}
      description={text.conflict.text}
      actions={
        <>
          <Button onClick={() => draftStore().choose('there')}>{text.conflict.keepThere}</Button>
          <Button variant="primary" onClick={() => draftStore().choose('here')}>
            {text.conflict.keepHere}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {conflict.fields.map((name) => (
          <div key={name} className="rounded-control border border-line p-3">
            <h3 className="text-base">{label(name)}</h3>
            <dl className="mt-2 grid gap-3 sm:grid-cols-2">
              {(
                [
                  [text.conflict.here, data],
                  [text.conflict.there, conflict.there.data],
                ] as const
              ).map(([where, values]) => (
                <div key={where} className="min-w-0">
                  <dt className="text-sm text-quiet">{where}</dt>
                  <dd className="wrap-anywhere whitespace-pre-line">
                    {shown(name, values) || <em className="text-quiet">{text.conflict.empty}</em>}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </LazyDialog>
  );
}

/** A link opened another draft while this device had one. */
function ArrivalChoice({ onOpened }: { onOpened: (step: number) => void }) {
  const text = useText(createLaterTexts).create.arrived;
  const { arrived, data } = useDraft();
  if (!arrived) return null;
  const nameOf = (form: DraftData) => form.tokenName || form.tokenSymbol || text.unnamed;
  const keepMine = () => draftStore().settle('mine');
  return (
    <LazyDialog
      open
      onOpenChange={(open) => {
        if (!open) keepMine();
      }}
      title={text.title}
      description={text.text(nameOf(data), nameOf(arrived.draft.data))}
      actions={
        <>
          <Button onClick={keepMine}>{text.mine}</Button>
          <Button
            variant="primary"
            onClick={() => {
              draftStore().settle('arrived');
              onOpened(arrived.step ?? 1);
            }}
          >
            {text.arrived}
          </Button>
        </>
      }
    />
  );
}

function useLabel() {
  const { field, contact } = useText(createTexts, createLaterTexts).create;
  return (name: FieldName): string =>
    (field as Partial<Record<FieldName, string>>)[name] ??
    (contact as Partial<Record<FieldName, string>>)[name] ??
    name;
}

/** A value, formatted for display. */
function useShown() {
  const text = useText(createTexts, plansTexts);
  const networks = useNetworks();
  return (name: FieldName, data: DraftData): string => {
    const value = data[name];
    if (typeof value === 'boolean') return value ? text.create.yes : text.create.no;
    if (name === 'selectedPlan') return text.plans.name[data.selectedPlan];
    if (name === 'selectedNetwork' || name === 'hostNetwork')
      return networks.data?.find(({ key }) => key === value)?.name ?? String(value);
    return String(value ?? '');
  };
}
