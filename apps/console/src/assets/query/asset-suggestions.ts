import { fieldOf, queryFields, type QueryFieldName } from '@masthead/contract/assets/query/query-fields'
import { countries } from '@masthead/contract/networks/countries'
import type { Suggestion } from '../../ui/SearchSuggestions.tsx'
import { countryName } from '../../ui/country-name.ts'
import { assetLine } from './asset-line.ts'

/** What an account calls its things. */
export type KnownNames = { tags?: readonly string[]; groups?: readonly string[]; operators?: readonly { code: string; name: string }[] }

const mostShown = 8
const ages = ['>1h', '>1d', '>7d', '>30d']
const amounts = ['>1MB', '>10MB', '>100MB', '>1GB']

/** What may follow at `caret`: the field that is being named, or the values of the one that stands there. */
export function suggestAssets(text: string, caret: number, known: KnownNames): Suggestion[] {
  const before = text.slice(0, caret)
  // A word that stands in quotation marks is text.
  if (/^[^"]*("[^"]*"[^"]*)*$/.test(before) === false && !/[a-z_]+:(?:"[^"]*"|[^\s"])*"[^"]*$/i.test(before)) return []
  const from = before.search(/[^\s()"-][^\s()"]*(?:"[^"]*"?[^\s()"]*)*$/)
  if (from < 0) return []
  const term = before.slice(from)
  const colon = term.indexOf(':')
  if (colon < 0) return fieldsLike(term).map(({ name, label }) => ({ from, to: caret, insert: `${name}:`, label: `${name}:`, note: label }))
  const name = term.slice(0, colon).toLowerCase()
  if (!fieldOf(name)) return []
  const typed = term.slice(colon + 1)
  const start = from + colon + 1 + (typed.lastIndexOf(',') + 1)
  const part = text.slice(start, caret).replaceAll('"', '').trim().toLowerCase()
  return valuesOf(name as QueryFieldName, known)
    .filter(
      ({ value, words }) =>
        value.toLowerCase().startsWith(part) ||
        words
          .toLowerCase()
          .split(' ')
          .some((word) => word.startsWith(part))
    )
    .filter(({ value }) => value.toLowerCase() !== part)
    .slice(0, mostShown)
    .map(({ value, words }) => {
      const written = assetLine.write(name, [value]).slice(name.length + 1)
      return { from: start, to: caret, insert: `${written} `, label: value, ...(words !== value && { note: words }) }
    })
}

const fieldsLike = (typed: string) =>
  typed.length === 0
    ? []
    : Object.entries(queryFields)
        .map(([name, { label }]) => ({ name, label }))
        .filter(
          ({ name, label }) =>
            name !== 'list' && (name.startsWith(typed.toLowerCase()) || label.toLowerCase().startsWith(typed.toLowerCase()))
        )

function valuesOf(name: QueryFieldName, known: KnownNames): { value: string; words: string }[] {
  const same = (values: readonly string[] = []) => values.map((value) => ({ value, words: value }))
  const field = fieldOf(name)!
  const choices = 'choices' in field ? Object.entries(field.choices ?? {}).map(([value, words]) => ({ value, words })) : []
  if (name === 'tag') return same(known.tags)
  if (name === 'group') return same(known.groups)
  if (name === 'operator' || name === 'network') return (known.operators ?? []).map(({ code, name: words }) => ({ value: code, words }))
  if (name === 'country') return countries.map((value) => ({ value, words: countryName(value) }))
  if (field.kind === 'age') return [...same(ages), ...choices]
  if (field.kind === 'bytes') return [...same(amounts), ...choices]
  return choices
}
