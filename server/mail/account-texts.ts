/** Texts of mails about credentials, and about staff access to an account. */
export const accountTexts = {
  es: {
    accountViewed: {
      subject: 'El equipo ha mirado tu cuenta',
      body: (at: string): string =>
        `El ${at.slice(0, 10)} a las ${at.slice(11, 16)} (UTC) alguien del equipo miró lo que ves en tus páginas: avisos, votos, tokens guardados y pedidos. Solo pudo leer, y queda anotado con su motivo. Si no lo esperabas, responde a este correo.`,
    },
    passkeyChanged: {
      subject: 'Cambio en tus llaves de acceso',
      body: (on: boolean): string =>
        on
          ? 'Se ha añadido una llave de acceso a tu cuenta. Si no has sido tú, quítala en tu cuenta y cambia tu contraseña.'
          : 'Se ha quitado una llave de acceso de tu cuenta. Si no has sido tú, cambia tu contraseña.',
    },
    telegramLinked: {
      subject: 'Tus avisos llegan ahora a Telegram',
      body: (name: string): string =>
        `El chat de Telegram de ${name} recibe ahora los avisos de tu cuenta. Si no has sido tú, desvincúlalo en tus avisos y cambia tu contraseña.`,
      path: '/notifications',
      button: 'Ver mis avisos',
    },
    walletChanged: {
      subject: 'Cambio en las wallets de tu cuenta',
      body: (on: boolean, address: string): string =>
        on
          ? `Con la wallet ${address} se puede entrar ahora en tu cuenta. Si no has sido tú, quítala en tu cuenta y cambia tu contraseña.`
          : `Con la wallet ${address} ya no se puede entrar en tu cuenta. Si no has sido tú, cambia tu contraseña.`,
    },
  },
  en: {
    accountViewed: {
      subject: 'The team looked at your account',
      body: (at: string): string =>
        `On ${at.slice(0, 10)} at ${at.slice(11, 16)} (UTC) one of the team looked at what you see on your pages: notifications, votes, saved tokens and orders. They could only read, and it is noted with its reason. If you did not expect it, answer this mail.`,
    },
    passkeyChanged: {
      subject: 'Your passkeys changed',
      body: (on: boolean): string =>
        on
          ? 'A passkey was added to your account. If this was not you, remove it in your account and change your password.'
          : 'A passkey was removed from your account. If this was not you, change your password.',
    },
    telegramLinked: {
      subject: 'Your notifications go to Telegram now',
      body: (name: string): string =>
        `The Telegram chat of ${name} gets the notifications of your account now. If this was not you, unlink it in your notifications and change your password.`,
      path: '/en/notifications',
      button: 'See my notifications',
    },
    walletChanged: {
      subject: 'The wallets of your account changed',
      body: (on: boolean, address: string): string =>
        on
          ? `The wallet ${address} can sign in to your account now. If this was not you, remove it in your account and change your password.`
          : `The wallet ${address} cannot sign in to your account any more. If this was not you, change your password.`,
    },
  },
};
