// Texts of mails about somebody's own account: sign-in, mailbox, password, second factor, passkeys, wallets.

const es = {
  verifyEmail: {
    subject: 'Confirma tu correo',
    body: 'Confirma que este correo es tuyo. El enlace vale durante 24 horas y sirve una sola vez.',
    button: 'Confirmar mi correo',
  },
  changeEmail: {
    subject: 'Confirma tu nuevo correo',
    body: 'Alguien con acceso a tu cuenta de Florka quiere usar este correo. El enlace vale durante 24 horas.',
    button: 'Usar este correo',
  },
  emailChanged: {
    subject: 'El correo de tu cuenta ha cambiado',
    body: (to: string, mailbox: string | null): string =>
      `El correo de tu cuenta de Florka es ahora ${to}. Con el de antes ya no se entra. Si no has sido tú, entra con ${to} y tu contraseña, o con una llave de acceso o una wallet tuya; si tu contraseña sigue valiendo, vuelve a poner tu correo y cámbiala.${mailbox ? ` Y escríbenos a ${mailbox}.` : ''}`,
  },
  resetPassword: {
    subject: 'Restablece tu contraseña',
    body: 'Elige una contraseña nueva. El enlace vale durante 15 minutos y sirve una sola vez.',
    button: 'Elegir contraseña',
  },
  accountCreated: {
    subject: 'Tienes una cuenta en Florka',
    body: 'Un administrador te ha creado una cuenta con este correo. Elige tu contraseña para entrar: el enlace vale durante 24 horas y sirve una sola vez. Después puedes pedir otro en la página de acceso.',
    button: 'Elegir contraseña',
  },
  passwordChanged: {
    subject: 'Tu contraseña ha cambiado',
    body: 'La contraseña de tu cuenta de Florka acaba de cambiar y las demás sesiones se han cerrado. Si no has sido tú, elige otra ahora con «¿Olvidaste tu contraseña?», en la página de entrada.',
    button: 'Ir a la entrada',
    path: '/auth',
  },
  passwordGone: {
    subject: 'Tu cuenta ya no tiene contraseña',
    body: 'Se ha entrado en tu cuenta de Florka con un código enviado a este correo, que aún no estaba confirmado. Por eso se ha borrado la contraseña que tenía, que podía ser de otra persona, y las demás sesiones se han cerrado. Puedes elegir otra con «¿Olvidaste tu contraseña?», en la página de entrada. Si no has sido tú, elige ahora una contraseña ahí: eso cierra todas las sesiones.',
  },
  signInCode: {
    subject: (code: string) => `${code} es tu código de acceso`,
    body: (code: string) =>
      `Tu código de acceso a Florka es ${code}. Vale durante 10 minutos, una sola vez, y solo en el navegador en el que lo pediste.`,
  },
  secondFactorChanged: {
    subject: 'Cambio en la verificación en dos pasos',
    body: (on: boolean, mailbox: string | null): string =>
      on
        ? `La verificación en dos pasos de tu cuenta está activada, y las demás sesiones se han cerrado. Si no has sido tú, elige otra contraseña ahora con «¿Olvidaste tu contraseña?», en la página de entrada: eso cierra todas las sesiones. Si después no tienes el código que pide, solo el equipo puede desactivarla.${mailbox ? ` Escríbenos a ${mailbox}.` : ''}`
        : 'La verificación en dos pasos de tu cuenta se ha desactivado. Si no has sido tú, cambia tu contraseña si tienes una.',
  },
  newSignIn: {
    subject: 'Entrada en tu cuenta desde un navegador nuevo',
    body: (at: string, device: string): string =>
      `El ${at.slice(0, 10)} a las ${at.slice(11, 16)} (UTC) se entró en tu cuenta desde un navegador en el que no habías entrado, o que ha borrado sus datos${device ? `: ${device}` : ''}. Si no has sido tú: cierra esa sesión en tu cuenta, cambia tu contraseña si tienes una, y quita las carteras y llaves de acceso que no conozcas.`,
    button: 'Ver mis sesiones',
    path: '/account',
  },
  accountViewed: {
    subject: 'El equipo ha mirado tu cuenta',
    body: (at: string, mailbox: string | null): string =>
      `El ${at.slice(0, 10)} a las ${at.slice(11, 16)} (UTC) alguien del equipo miró lo que ves en tus páginas: avisos, votos, tokens guardados y pedidos. Solo pudo leer, y queda anotado con su motivo. ${mailbox ? `Si no lo esperabas, escríbenos a ${mailbox}.` : 'Lo tienes también entre tus avisos.'}`,
  },
  accountRemoved: {
    subject: 'Tu cuenta se ha borrado',
    body: (by: 'member' | 'team', mailbox: string | null): string =>
      by === 'team'
        ? `El equipo ha borrado tu cuenta de Florka, y no se puede recuperar. Los pedidos que pagaste siguen en pie.${mailbox ? ` Si crees que es un error, escríbenos a ${mailbox}.` : ''}`
        : `Tu cuenta de Florka se ha borrado, como se pidió desde ella, y no se puede recuperar. Los pedidos que pagaste siguen en pie. Si no has sido tú, alguien había entrado en ella: si usas su contraseña también en otro sitio, elige otra allí.${mailbox ? ` Y escríbenos a ${mailbox}.` : ''}`,
  },
  passkeyChanged: {
    subject: 'Cambio en tus llaves de acceso',
    body: (on: boolean, mailbox: string | null): string =>
      on
        ? `Se ha añadido una llave de acceso a tu cuenta. Si no has sido tú, quítala en tu cuenta y cambia tu contraseña si tienes una. Si ya no puedes entrar porque pide una llave o un código que no tienes, elige otra contraseña con «¿Olvidaste tu contraseña?», en la página de entrada: eso cierra todas las sesiones, pero la llave vale hasta que el equipo la quite.${mailbox ? ` Escríbenos a ${mailbox}.` : ''}`
        : 'Se ha quitado una llave de acceso de tu cuenta. Si no has sido tú, cambia tu contraseña si tienes una.',
  },
  telegramLinked: {
    subject: 'Tus avisos llegan ahora a Telegram',
    body: (name: string): string =>
      `El chat de Telegram de ${name} recibe ahora los avisos de tu cuenta. Si no has sido tú, desvincúlalo en tus avisos y cambia tu contraseña si tienes una.`,
    path: '/notifications',
    button: 'Ver mis avisos',
  },
  telegramUnlinked: {
    subject: 'Tus avisos ya no llegan a Telegram',
    body: 'El chat de Telegram que recibía los avisos de tu cuenta está desvinculado: lo has pedido en tu cuenta o en el chat, o el bot ya no puede escribirte. Si no has sido tú, cambia tu contraseña si tienes una.',
  },
  walletChanged: {
    subject: 'Cambio en las wallets de tu cuenta',
    body: (on: boolean, address: string): string =>
      on
        ? `Con la wallet ${address} se puede entrar ahora en tu cuenta. Si no has sido tú, quítala en tu cuenta y cambia tu contraseña si tienes una.`
        : `Con la wallet ${address} ya no se puede entrar en tu cuenta. Si no has sido tú, cambia tu contraseña si tienes una.`,
  },
  wrongPasswords: {
    subject: 'Contraseñas equivocadas para tu cuenta',
    body: (attempts: number): string =>
      `En una hora se han escrito más de ${attempts} contraseñas equivocadas para tu cuenta. Con ellas no ha entrado nadie. Si no has sido tú y usas tu contraseña también en otro sitio, elige otra.`,
  },
  signUpTried: {
    subject: 'Alguien intentó registrarse con tu correo',
    body: 'Alguien escribió tu dirección de correo en el formulario de registro. Ya tienes una cuenta con ella, así que no se creó otra y nadie ha entrado. Si has sido tú, entra con tu contraseña o pide un código. Si no, no tienes que hacer nada.',
    path: '/auth',
    button: 'Entrar',
  },
};

const en: typeof es = {
  verifyEmail: {
    subject: 'Confirm your e-mail',
    body: 'Confirm that this mailbox is yours. The link is valid for 24 hours and works once.',
    button: 'Confirm my e-mail',
  },
  changeEmail: {
    subject: 'Confirm your new e-mail',
    body: 'Somebody with access to your Florka account wants to use this mailbox. The link is valid for 24 hours.',
    button: 'Use this e-mail',
  },
  emailChanged: {
    subject: "Your account's e-mail has changed",
    body: (to, mailbox) =>
      `The e-mail of your Florka account is now ${to}. The former one signs in no more. If this was not you, sign in with ${to} and your password, or with a passkey or a wallet of yours; if your password is still the same, put your e-mail back and change it.${mailbox ? ` And write to us at ${mailbox}.` : ''}`,
  },
  resetPassword: {
    subject: 'Reset your password',
    body: 'Choose a new password. The link is valid for 15 minutes and works once.',
    button: 'Choose a password',
  },
  accountCreated: {
    subject: 'You have an account at Florka',
    body: 'An administrator made an account for this mailbox. Choose your password to come in: the link is valid for 24 hours and works once. After that you can ask for another one on the sign-in page.',
    button: 'Choose a password',
  },
  passwordChanged: {
    subject: 'Your password has changed',
    body: 'The password of your Florka account has just changed and other sessions were closed. If this was not you, choose another one now with “Forgot your password?” on the sign-in page.',
    button: 'Go to the sign-in page',
    path: '/en/auth',
  },
  passwordGone: {
    subject: 'Your account has no password any more',
    body: 'Your Florka account was signed in to by a code sent to this mailbox, which was not confirmed yet. So the password that it had was removed, as it may have been somebody else’s, and other sessions were closed. You can choose another one with “Forgot your password?” on the sign-in page. If this was not you, choose a password there now: that closes every session.',
  },
  signInCode: {
    subject: (code) => `${code} is your sign-in code`,
    body: (code) =>
      `Your Florka sign-in code is ${code}. It is valid for 10 minutes, once, and only in the browser in which you asked for it.`,
  },
  secondFactorChanged: {
    subject: 'Two-step verification changed',
    body: (on, mailbox) =>
      on
        ? `Two-step verification is now on for your account, and its other sessions were closed. If this was not you, choose another password now with “Forgot your password?” on the sign-in page: that closes every session. If you then do not have the code that it asks for, only the team can turn it off.${mailbox ? ` Write to us at ${mailbox}.` : ''}`
        : 'Two-step verification was turned off for your account. If this was not you, change your password if you have one.',
  },
  newSignIn: {
    subject: 'A sign-in to your account from a new browser',
    body: (at: string, device: string): string =>
      `On ${at.slice(0, 10)} at ${at.slice(11, 16)} (UTC) your account was signed in to from a browser in which it was not before, or which has cleared its data${device ? `: ${device}` : ''}. If this was not you: end that session on your account page, change your password if you have one, and remove the wallets and passkeys that you do not know.`,
    button: 'See my sessions',
    path: '/en/account',
  },
  accountViewed: {
    subject: 'The team looked at your account',
    body: (at, mailbox) =>
      `On ${at.slice(0, 10)} at ${at.slice(11, 16)} (UTC) one of the team looked at what you see on your pages: notifications, votes, saved tokens and orders. They could only read, and it is noted with its reason. ${mailbox ? `If you did not expect it, write to us at ${mailbox}.` : 'It is among your notifications, too.'}`,
  },
  accountRemoved: {
    subject: 'Your account was deleted',
    body: (by, mailbox) =>
      by === 'team'
        ? `The team deleted your Florka account, and it cannot be recovered. Orders that you paid stand.${mailbox ? ` If you think that this is a mistake, write to us at ${mailbox}.` : ''}`
        : `Your Florka account was deleted, as was asked for from it, and it cannot be recovered. Orders that you paid stand. If this was not you, somebody was signed in to it: if you use its password elsewhere, choose another one there.${mailbox ? ` And write to us at ${mailbox}.` : ''}`,
  },
  passkeyChanged: {
    subject: 'Your passkeys changed',
    body: (on, mailbox) =>
      on
        ? `A passkey was added to your account. If this was not you, remove it in your account and change your password if you have one. If you cannot get in any more, because it asks for a passkey or a code that you do not have, choose another password with “Forgot your password?” on the sign-in page: that closes every session, but the passkey works until the team removes it.${mailbox ? ` Write to us at ${mailbox}.` : ''}`
        : 'A passkey was removed from your account. If this was not you, change your password if you have one.',
  },
  telegramLinked: {
    subject: 'Your notifications go to Telegram now',
    body: (name: string): string =>
      `The Telegram chat of ${name} gets the notifications of your account now. If this was not you, unlink it in your notifications and change your password if you have one.`,
    path: '/en/notifications',
    button: 'See my notifications',
  },
  telegramUnlinked: {
    subject: 'Your notifications do not go to Telegram any more',
    body: 'The Telegram chat that got the notifications of your account is unlinked: you asked for it in your account or in the chat, or the bot cannot write to you any more. If this was not you, change your password if you have one.',
  },
  walletChanged: {
    subject: 'The wallets of your account changed',
    body: (on: boolean, address: string): string =>
      on
        ? `The wallet ${address} can sign in to your account now. If this was not you, remove it in your account and change your password if you have one.`
        : `The wallet ${address} cannot sign in to your account any more. If this was not you, change your password if you have one.`,
  },
  wrongPasswords: {
    subject: 'Wrong passwords for your account',
    body: (attempts) =>
      `Within an hour more than ${attempts} wrong passwords were typed for your account. Nobody got in by them. If this was not you and you use your password elsewhere too, choose another one.`,
  },
  signUpTried: {
    subject: 'Somebody tried to sign up with your e-mail',
    body: 'Somebody typed your e-mail address into the form for new accounts. You have an account with it already, so no other one was made and nobody got in. If it was you, sign in with your password or ask for a code. If not, you need to do nothing.',
    path: '/en/auth',
    button: 'Sign in',
  },
};

export const accountTexts = { es, en };
