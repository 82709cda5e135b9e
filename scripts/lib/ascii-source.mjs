/**
 * The same program in ASCII alone. Node keeps the source of a module as it was read, with two bytes for each character as soon as
 * one of them is not ASCII: for the server's bundle that is 7 MB.
 *
 * @param {string} code JavaScript without tagged templates that look at what was typed (`String.raw`) beyond ASCII.
 * @returns {string}
 */
export const asciiSource = (code) =>
  code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes, /** @type {string} */ sign) => {
    // A character that was escaped for no reason is that character: its slash would escape the one of ours.
    const kept = slashes.length % 2 === 1 ? slashes.slice(1) : slashes;
    return `${kept}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
