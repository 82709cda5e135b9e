import { defineMessages } from './define-messages.ts';

/** Wallets that sign in: at the way in, and in the account. */
export const walletTexts = defineMessages({
  es: {
    wallets: {
      heading: 'Wallets',
      lead: 'Entra firmando un texto con una wallet de Ethereum, BNB Chain, Polygon o Solana. Firmar no mueve dinero ni cuesta nada.',
      limits:
        'La firma no sustituye a tu contraseña cuando pedimos confirmar quién eres, y con verificación en dos pasos se sigue pidiendo el segundo paso.',
      none: 'Todavía no tienes ninguna.',
      loadFailed: 'No se han podido leer tus wallets.',
      family: { evm: 'Ethereum, BNB Chain y Polygon', solana: 'Solana' },
      add: 'Vincular una wallet',
      addWith: (name: string) => `Vincular ${name}`,
      added: 'Wallet vinculada',
      remove: 'Quitar',
      removeOf: (address: string) => `Quitar ${address}`,
      removed: 'Wallet quitada',
      made: (when: string) => `Vinculada: ${when}`,
      used: (when: string) => `Último uso: ${when}`,
      unused: 'Sin usar todavía',
      signInHeading: 'Entrar con una wallet',
      signInLead: 'Firma un texto con una wallet que hayas vinculado en tu cuenta. No mueve dinero ni cuesta nada.',
      signInWith: (name: string) => `Entrar con ${name}`,
      searching: 'Buscando wallets…',
      signing: 'Esperando a la wallet…',
      again: 'Buscar otra vez',
      problem: {
        none: 'No hay ninguna wallet en este navegador. Desbloquéala o abre esta página en el navegador de tu wallet.',
        declined: 'No has firmado el texto en la wallet.',
        pending: 'La wallet ya espera una respuesta tuya: ábrela.',
        network: 'Tu wallet está en otra red. Elige en ella Ethereum, BNB Chain o Polygon.',
        failed: 'La wallet no ha firmado. Mira si está abierta y desbloqueada.',
      },
      refused: {
        address: 'Esa dirección no es de esa red.',
        used: 'Ese texto ya no vale: firma de nuevo.',
        expired: 'Has tardado más de cinco minutos: firma de nuevo.',
        signature: 'La firma no es de esa wallet sobre ese texto. Las wallets que son un contrato no valen aquí.',
      },
      taken: {
        me: 'Esa wallet ya está vinculada a tu cuenta.',
        other: 'Esa wallet está vinculada a otra cuenta. Quítala allí primero.',
      },
      unknown: 'Esta wallet no abre ninguna cuenta. Entra de otra forma y vincúlala en «Mi cuenta».',
      staff:
        'Las cuentas del equipo no entran solo con una wallet. Entra con tu contraseña; con verificación en dos pasos la wallet vale como primer paso.',
      lastWayIn:
        'Elige antes una contraseña o añade una llave de acceso: sin ellas solo podrías entrar con un código por correo.',
    },
  },
  en: {
    wallets: {
      heading: 'Wallets',
      lead: 'Sign in by signing a text with a wallet of Ethereum, BNB Chain, Polygon or Solana. Signing moves no money and costs nothing.',
      limits:
        'The signature does not replace your password when we ask you to confirm who you are, and with two-step verification the second step is still asked for.',
      none: 'You have none yet.',
      loadFailed: 'Your wallets could not be read.',
      family: { evm: 'Ethereum, BNB Chain and Polygon', solana: 'Solana' },
      add: 'Link a wallet',
      addWith: (name) => `Link ${name}`,
      added: 'Wallet linked',
      remove: 'Remove',
      removeOf: (address) => `Remove ${address}`,
      removed: 'Wallet removed',
      made: (when) => `Linked: ${when}`,
      used: (when) => `Last used: ${when}`,
      unused: 'Not used yet',
      signInHeading: 'Sign in with a wallet',
      signInLead: 'Sign a text with a wallet that you linked in your account. It moves no money and costs nothing.',
      signInWith: (name) => `Sign in with ${name}`,
      searching: 'Looking for wallets…',
      signing: 'Waiting for the wallet…',
      again: 'Look again',
      problem: {
        none: 'There is no wallet in this browser. Unlock it, or open this page in the browser of your wallet.',
        declined: 'You did not sign the text in the wallet.',
        pending: 'The wallet waits for an answer of yours already: open it.',
        network: 'Your wallet is on another network. Choose Ethereum, BNB Chain or Polygon in it.',
        failed: 'The wallet did not sign. See whether it is open and unlocked.',
      },
      refused: {
        address: 'That address is not of that network.',
        used: 'That text does not count any more: sign again.',
        expired: 'It took more than five minutes: sign again.',
        signature:
          'The signature is not of that wallet about that text. Wallets that are a contract do not count here.',
      },
      taken: {
        me: 'That wallet is linked to your account already.',
        other: 'That wallet is linked to another account. Remove it there first.',
      },
      unknown: 'This wallet opens no account. Sign in otherwise and link it in “My account”.',
      staff:
        'Accounts of the team do not sign in by a wallet alone. Sign in with your password; with two-step verification a wallet counts as the first step.',
      lastWayIn: 'Choose a password or add a passkey first: without them you could only sign in with a code by mail.',
    },
  },
});
