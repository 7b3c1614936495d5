import type { Option } from '../ui/OptionList.tsx'

/** A filter of a list: the query parameter, its name, and what it can be. One value, or any of several. */
export type Filter = {
  key: string
  label: string
  options: readonly Option[]
  multiple?: boolean
  /** It is written into the line of the list (`query-line.ts`) instead of the address. */
  inLine?: boolean
  /** Its options are looked at: what they are made of may be asked for now. */
  onOpen?: () => void
}

/** The words of a filter that is on: "is any of" "ALPON X4, CORE". Null when it is off. Values we have no words for stand as they are. */
export function filterWords(filter: Filter, value: string | readonly string[] | undefined): { verb: string; value: string } | null {
  const chosen = (typeof value === 'string' ? [value] : (value ?? [])).filter((one) => one !== '')
  if (chosen.length === 0) return null
  const labels = chosen.map((one) => filter.options.find((option) => option.value === one)?.label ?? one)
  const shown = labels.length > 3 ? `${labels.slice(0, 2).join(', ')} and ${labels.length - 2} more` : labels.join(', ')
  return { verb: chosen.length > 1 ? 'is any of' : 'is', value: shown }
}
