import { longestQuery, parseAssetQuery, type AssetQuery, type QueryCondition, type QueryValue } from '@masthead/contract/assets/query/query'
import { type QueryField, queryFields } from '@masthead/contract/assets/query/query-fields'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { LineCondition, QueryLine } from '../../kit/query-line.ts'

/** The search of the assets list: words, and what can be asked in one line. Chips are the conditions that must all be met. */
export const assetLine: QueryLine = {
  param: 'q',
  longest: longestQuery,
  read: (text) => {
    const { query, mistake } = parseAssetQuery(text)
    if (!query) return { mistake: mistake.words, conditions: [], alternatives: false }
    const parts = 'all' in query ? query.all : [query]
    return {
      mistake: null,
      conditions: parts.filter(isCondition).map((condition) => toChip(condition, text)),
      alternatives: 'any' in query,
    }
  },
  write: (key, values) => `${key}:${values.map((value) => (/[\s,()]/.test(value) ? `"${value}"` : value)).join(',')}`,
}

const isCondition = (query: AssetQuery): query is QueryCondition => 'field' in query

function toChip({ field, values, at, end }: QueryCondition, text: string): LineCondition {
  const written = text.slice(text.indexOf(':', at) + 1, end).match(/(?:"[^"]*"|[^,"])+/g) ?? []
  return {
    key: field,
    label: queryFields[field].label,
    value: values.map((value) => valueWords(queryFields[field], value)).join(', '),
    values: values.map((value, nth) => ('is' in value ? value.is : written[nth]!)),
    at,
    end,
  }
}

function valueWords(field: QueryField, value: QueryValue): string {
  if ('is' in value) return 'choices' in field ? (field.choices?.[value.is] ?? value.is) : value.is
  const amount = field.kind === 'bytes' ? formatBytes : ageWords
  return 'over' in value ? `more than ${amount(value.over)}` : `less than ${amount(value.under)}`
}

const units = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** In the largest unit of which it is a whole number. */
function ageWords(seconds: number): string {
  const [size, unit] = units.find(([one]) => seconds >= one && seconds % one === 0) ?? ([60, 'minute'] as const)
  const count = Number((seconds / size).toFixed(1))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
