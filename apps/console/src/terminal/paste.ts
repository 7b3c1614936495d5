/**
 * What is pasted as text: lines end with \n, and nothing in it is a control of the terminal. One that ends a bracketed paste would have the rest run at
 * once, as if it had been typed; a web page puts it into the clipboard without anybody seeing it.
 */
export const asText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

/** Its lines, of which the last may have an end. */
export const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')
