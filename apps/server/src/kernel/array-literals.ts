/**
 * Columns of many rows as PostgreSQL array literals. Written by hand because the driver's own conversion of arrays costs more than
 * everything else in a batch. `NULL` stands for null and undefined.
 */
export const numberArray = (values: readonly (number | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ?? 'NULL')
  return `${text}}`
}

export const booleanArray = (values: readonly boolean[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ? 't' : 'f')
  return `${text}}`
}

const plain = /^[\w.:@+-]+$/

const quote = (value: string): string =>
  plain.test(value) && value.toLowerCase() !== 'null' ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const textArray = (values: readonly (string | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    text += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : quote(value))
  }
  return `${text}}`
}
