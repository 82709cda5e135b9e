// Texts of every mail: greeting, goodbye, small print, amounts; and the test mail.

/** Formats US dollars with cents: 1.500,00 or 1,500.00. */
const cents = (locale: string) => {
  const format = new Intl.NumberFormat(locale, {
    useGrouping: 'always',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (usd: number): string => format.format(usd);
};

/** Formats an amount of a coin with all digits: 0,01 or 0.01. */
const amountIn = (locale: string) => {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 20 });
  // As a string: a number would lose digits.
  return (amount: string): string => format.format(amount as Intl.StringNumericLiteral);
};

const es = {
  usd: cents('es-ES'),
  amount: amountIn('es-ES'),
  coinOn: (symbol: string, network: string) => `${symbol} en la red ${network}`,
  greeting: 'Hola:',
  goodbye: 'El equipo de Florka',
  ignore: 'Si no has sido tú, puedes ignorar este mensaje: sin el enlace o el código no pasa nada.',
  button: 'Abrir',
  orPaste: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  test: { subject: 'Prueba de correo de Florka', body: 'Si lees esto, el correo de Florka funciona.' },
};

const en: typeof es = {
  usd: cents('en-US'),
  amount: amountIn('en-US'),
  coinOn: (symbol, network) => `${symbol} on the ${network} network`,
  greeting: 'Hello,',
  goodbye: 'The Florka team',
  ignore: 'If this was not you, ignore this message: without the link or the code nothing happens.',
  button: 'Open',
  orPaste: 'If the button does not work, copy this address into your browser:',
  test: { subject: 'Florka mail test', body: "If you read this, Florka's mail works." },
};

export const everyMailTexts = { es, en };
