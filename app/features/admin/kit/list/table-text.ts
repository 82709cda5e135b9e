/** Keys of the messages of a list in the catalogue. */
interface ListMessages {
  heading: string;
  loading: string;
  empty: string;
  emptyText?: string;
  searchLabel?: string;
  search?: string;
  failed?: string;
  loadFailed?: string;
  /** Message of a search without results, for screens with their own. */
  notFound?: string;
}

/** The texts of `AdminTable`, from the messages of its screen; a screen with a link in its empty state provides `empty` itself. */
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
