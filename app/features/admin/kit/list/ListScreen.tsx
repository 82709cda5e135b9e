import { AdminScreen, type AdminScreenProps } from '../AdminScreen.tsx';

interface ListScreenProps extends Omit<AdminScreenProps, 'title' | 'count'> {
  list: { rows: readonly unknown[] | undefined; count: string };
  messages: { heading: string; count: (rows: string) => string };
}

/** The frame of a screen with one list: its heading, and the number of its rows once they are read. */
export function ListScreen({ list, messages, ...screen }: ListScreenProps) {
  return (
    <AdminScreen {...screen} title={messages.heading} count={list.rows ? messages.count(list.count) : undefined} />
  );
}
