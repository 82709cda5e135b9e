/** What the messages of a list are called in the catalogue. */
interface ListMessages {
  heading: string;
  loading: string;
  empty: string;
  emptyText?: string;
  searchLabel?: string;
  search?: string;
  failed?: string;
  loadFailed?: string;
  /** Where a search without a find has words of its own. */
  notFound?: string;
}

/** What `AdminTable` says of a list, from the messages of its screen; a screen with a way on from an empty list gives `empty` itself. */
export function tableText(messages: ListMessages) {
  const searchLabel = messages.searchLabel ?? messages.search;
  return {
    caption: messages.heading,
    loading: messages.loading,
    empty: { title: messages.empty, ...(messages.emptyText ? { text: messages.emptyText } : {}) },
    failed: messages.failed ?? messages.loadFailed ?? '',
    ...(searchLabel ? { searchLabel } : {}),
    ...(messages.notFound ? { notFound: messages.notFound } : {}),
  };
}
