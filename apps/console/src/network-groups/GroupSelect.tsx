import { formatBytes } from '@masthead/contract/usage/bytes'
import { Select } from '../ui/Select.tsx'
import { placesWords } from './places-words.ts'
import { useNetworkGroups } from './use-network-groups.ts'

const lower = (words: string) => (/^(Everywhere|Nowhere)$/.test(words) ? words.toLowerCase() : words)

/** One of the network groups of the account, with what it allows. */
export function GroupSelect({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const groups = useNetworkGroups()
  return (
    <Select
      label="Network group"
      placeholder="Choose a group"
      loading={!groups}
      value={value}
      options={(groups ?? []).map(({ id, name, limit_bytes, limit_period, ...places }) => ({
        value: id,
        label: `${name}: ${limit_bytes === null ? 'no limit' : `${formatBytes(limit_bytes)} a ${limit_period}`}, ${lower(placesWords(places).first)}`,
      }))}
      onChange={onChange}
    />
  )
}
