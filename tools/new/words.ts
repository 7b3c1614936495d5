/** Why nothing was written, for whoever asked. */
export class Refused extends Error {}

/** A name in each way that it is written: `list_notes`, `listNotes`, `ListNotes`, `list-notes`. */
export type Name = { snake: string; camel: string; pascal: string; kebab: string; words: string }

export function nameOf(given: string): Name {
  const words = given
    .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
    .split(/[_-]+/)
    .filter(Boolean)
  if (words.length === 0 || words.some((word) => !/^[a-z][a-z0-9]*$/.test(word))) throw new Refused(`${given} is no name like list_notes`)
  if (/^(utils?|helpers?|common|misc|types|data|info)$/.test(words.join('-')))
    throw new Refused(`${given} does not say of what: a file may not be called so`)
  const pascal = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  return {
    snake: words.join('_'),
    camel: pascal[0]!.toLowerCase() + pascal.slice(1),
    pascal,
    kebab: words.join('-'),
    words: words.join(' '),
  }
}

/** What a verb says of a call: how it is asked for. */
export function methodOf(verb: string): 'GET' | 'POST' | 'PUT' {
  if (/^(update|delete|remove|export)$/.test(verb))
    throw new Refused(
      `${verb}_… names one thing, or answers in pieces: that is not written for you. Follow updateTag and deleteTag (tags), or exportAssets`
    )
  return verb === 'get' || verb === 'list' ? 'GET' : verb === 'set' ? 'PUT' : 'POST'
}

/** The noun of one thing: notes, categories, boxes, warehouses, statuses. What is one already stays: status, address. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  if (/(ss|x|ch|sh|[^ao]us)es$/.test(noun)) return noun.slice(0, -2)
  return /(ss|us|is)$/.test(noun) ? noun : noun.replace(/s$/, '')
}
export const plural = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
