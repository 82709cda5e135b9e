/** The page that a browser shows without a connection; the service worker holds it, so its few texts stand alone. */
export const offlineTexts = {
  es: {
    title: 'Sin conexión',
    text: 'No podemos llegar a Florka desde este dispositivo. Aquí no se puede votar, escribir ni pagar hasta que vuelva la conexión. La página se abrirá sola cuando este dispositivo vuelva a tener red.',
    retry: 'Reintentar',
    stored: 'Lo último que viste se puede leer:',
    none: 'Cuando hayas visitado páginas públicas, las últimas se podrán leer aquí sin conexión.',
    cachedAt: (when: string) => `datos del ${when}`,
  },
  en: {
    title: 'No connection',
    text: 'We can’t reach Florka from this device. You can’t vote, write or pay until the connection is back. The page opens by itself when this device has a network again.',
    retry: 'Try again',
    stored: 'What you saw last can be read:',
    none: 'Once you have visited public pages, the last ones can be read here without a connection.',
    cachedAt: (when: string) => `data of ${when}`,
  },
};
