/** The last screen: it must show even when a catalogue did not load, so its few texts stand alone. */
export const errorScreen = {
  es: {
    title: 'Unexpected Application Error!',
    notFound: 'Esta página no existe o se ha mudado de carpa.',
    refusedTitle: 'Demasiadas búsquedas seguidas',
    tooMany: 'Espera un minuto y vuelve a intentarlo.',
    failed: 'Algo se ha roto entre bastidores. Ya queda anotado; vuelve a intentarlo en un momento.',
    home: 'Volver al inicio',
  },
  en: {
    title: 'Unexpected Application Error!',
    notFound: 'This page does not exist or has moved to another tent.',
    refusedTitle: 'Too many searches in a row',
    tooMany: 'Wait a minute and try again.',
    failed: 'Something broke behind the curtain. It has been noted; try again in a moment.',
    home: 'Back to home',
  },
} as const;
