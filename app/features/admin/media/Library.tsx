import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMediaTexts } from '#app/lib/messages/admin/media.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { LibraryImage } from '#contract/admin/media.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { SearchBox } from '../kit/list/filters.tsx';
import { StoredListButton, useShownParts } from '../kit/list/StoredListButton.tsx';
import { Switch } from '../kit/Switch.tsx';
import { useQueryParameters } from '../kit/useQueryParameters.ts';
import { useActions } from '../people/useActions.tsx';
import { IMAGE_PARTS, ImageCard, useImageName } from './ImageCard.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';

/** Minimum length of a search, as in the contract. */
const MIN_CHARACTERS = 3;
const SHOWN = ['all', 'unused', 'trash'] as const;
type Shown = (typeof SHOWN)[number];

/** All stored images as cards; filters and position are parameters of the address; paginated by the id of the last image. */
export function Library({ picker }: { picker: ImagePicker }) {
  const { library: messages } = useText(adminMediaTexts);
  const locale = useLocale();
  const { parameters, set, href } = useQueryParameters();
  const shown: Shown = SHOWN.find((one) => one === parameters.get('show')) ?? 'all';
  const cursor = parameters.get('cursor');
  const q = parameters.get('q') ?? '';
  const terms = q.trim().length >= MIN_CHARACTERS ? q.trim() : null;
  const images = useQuery(
    rpc.admin.media.list.queryOptions({
      input: {
        ...(shown === 'trash' ? { shelf: 'trash' as const } : shown === 'unused' ? { status: 'unused' as const } : {}),
        ...(terms ? { q: terms } : {}),
        ...(cursor ? { cursor } : {}),
      },
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: true,
    }),
  );
  const rows = images.data?.rows ?? [];
  const nextCursor = images.data?.nextCursor;
  const shows = useShownParts('media');
  const { remove, restore, report } = useImageActions();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [replaced, setReplaced] = useState<LibraryImage | null>(null);
  const canChoose = shown === 'trash' ? rows : rows.filter(({ uses }) => uses === 0);
  const selected = canChoose.filter(({ id }) => chosen.has(id));
  const choose = (ids: string[], on: boolean) =>
    setChosen((old) => new Set(on ? [...old, ...ids] : [...old].filter((id) => !ids.includes(id))));
  const run = (images: LibraryImage[]) =>
    (shown === 'trash' ? restore : remove)(images)
      .then(() =>
        choose(
          images.map(({ id }) => id),
          false,
        ),
      )
      // The mutation shows its own notice on failure.
      .catch(() => {});
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="admin-toolbar">
        <SearchBox
          label={messages.search}
          hint={messages.searchHint}
          list={{ q, set: ({ q: next }) => set({ q: next ? String(next) : null, cursor: null }) }}
        />
        <Switch
          label={messages.show}
          name="show"
          value={shown}
          choices={SHOWN.map((one) => [one, messages.shown[one]] as const)}
          onChoose={(one) => set({ show: one === 'all' ? null : one, cursor: null })}
        />
        <span className="ml-auto">
          <StoredListButton list="media" columns={IMAGE_PARTS.map((key) => ({ key, header: messages.parts[key] }))} />
        </span>
        {canChoose.length > 0 && shown !== 'all' ? (
          <label className="flex min-h-10 items-center gap-2">
            <input
              type="checkbox"
              className="check-box"
              checked={selected.length === canChoose.length}
              onChange={(event) =>
                choose(
                  canChoose.map(({ id }) => id),
                  event.target.checked,
                )
              }
            />
            {messages.chooseAll}
          </label>
        ) : null}
        {selected.length > 0 ? (
          <span className="flex flex-wrap items-center gap-2" role="status">
            {messages.chosen(selected.length, integer(selected.length, locale))}
            <Button size="sm" onClick={() => void run(selected)}>
              {shown === 'trash' ? messages.restore : messages.remove}
            </Button>
          </span>
        ) : null}
      </div>
      <Hints shown={shown} short={q !== '' && !terms} />
      {images.isPending ? (
        <SkeletonGroup label={messages.loading} className="admin-cards">
          <Skeleton className="h-72" />
          <Skeleton className="h-72" />
          <Skeleton className="h-72" />
        </SkeletonGroup>
      ) : images.isError && !images.data ? (
        <div className="admin-panel">
          <LoadError what={messages.failed} of={images} />
        </div>
      ) : rows.length === 0 ? (
        <Empty terms={terms ? messages.nothingFound(terms) : messages.empty[shown]} />
      ) : (
        <ul className="admin-cards" data-moving={images.isPlaceholderData || undefined}>
          {rows.map((image) => (
            <li key={image.id} className="admin-panel">
              <ImageCard
                image={image}
                shows={shows}
                chosen={chosen.has(image.id)}
                onChoose={(on) => choose([image.id], on)}
                onRemove={() => void run([image])}
                onReplace={() => setReplaced(image)}
              />
            </li>
          ))}
        </ul>
      )}
      <Pages newest={cursor ? href({ cursor: null }) : null} older={nextCursor ? href({ cursor: nextCursor }) : null} />
      {replaced ? (
        <ReplaceDialog key={replaced.id} id={replaced.id} picker={picker} onClose={() => setReplaced(null)} />
      ) : null}
      {report}
    </div>
  );
}

function Empty({ terms }: { terms: string }) {
  return (
    <div className="admin-panel">
      <div className="admin-note" role="status">
        <SceneEmptyStage />
        <p className="font-semibold">{terms}</p>
      </div>
    </div>
  );
}

function Hints({ shown, short }: { shown: Shown; short: boolean }) {
  const { library: messages } = useText(adminMediaTexts);
  const hint = shown === 'trash' ? messages.trashHint : shown === 'unused' ? messages.unusedHint : null;
  return (
    <>
      {short ? <p className="text-sm text-quiet">{messages.searchMore(MIN_CHARACTERS)}</p> : null}
      {hint ? <p className="text-sm text-quiet">{hint}</p> : null}
    </>
  );
}

/** Links to the other pages; null when there is none. */
function Pages({ newest, older }: { newest: string | null; older: string | null }) {
  const { library: messages } = useText(adminMediaTexts);
  return (
    <nav aria-label={messages.heading} className="flex flex-wrap gap-2">
      {newest === null ? null : (
        <ButtonLink to={newest} size="sm">
          {messages.newest}
        </ButtonLink>
      )}
      {older === null ? null : (
        <ButtonLink to={older} size="sm">
          {messages.older}
        </ButtonLink>
      )}
    </nav>
  );
}

/** Moves one or several images to the trash or back; each action shows a notice with its outcome and can be undone. */
function useImageActions() {
  const { library: messages } = useText(adminMediaTexts);
  const queries = useQueryClient();
  const { runBulk, report } = useActions('other', () => queries.invalidateQueries({ queryKey: rpc.admin.media.key() }));
  const nameOf = useImageName();
  const named = (images: LibraryImage[]) => images.map((image) => ({ id: image.id, name: nameOf(image) }));
  const restore = (images: LibraryImage[], undoing = false): Promise<void> =>
    runBulk({
      rows: named(images),
      work: (ids) => client.admin.media.restore({ ids, undo: undoing }),
      done: { title: messages.toast.restored },
      undo: (ids) =>
        remove(
          images.filter(({ id }) => ids.includes(id)),
          true,
        ),
      failed: messages.toast.restoreFailed,
    });
  const remove = (images: LibraryImage[], undoing = false): Promise<void> =>
    runBulk({
      rows: named(images),
      work: (ids) => client.admin.media.remove({ ids, undo: undoing }),
      done: { title: messages.toast.removed },
      undo: (ids) =>
        restore(
          images.filter(({ id }) => ids.includes(id)),
          true,
        ),
      failed: messages.toast.removeFailed,
    });
  return { remove, restore, report };
}
