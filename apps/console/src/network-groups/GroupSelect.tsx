import { useQuery } from '@tanstack/react-query'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Select } from '../ui/Select.tsx'
import { placesWords } from './places-words.ts'

const lower = (words: string) => (/^(Everywhere|Nowhere)$/.test(words) ? words.toLowerCase() : words)

/** One of the network groups of the account, with what it allows. */
export function GroupSelect({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const denied = useDenied()(listNetworkGroups)
  const { data, error } = useQuery({ ...q(listNetworkGroups, {}), enabled: denied === null })
  const failed = error && !data ? error : null
  return (
    <Select
      label="Network group"
      placeholder="Choose a group"
      loading={denied === null && !data && !failed}
      disabled={denied !== null || failed !== null}
      {...(denied !== null && { hint: denied })}
      error={
        failed && (
          <>
            The groups could not be loaded. <FailureWords of={failed} />
          </>
        )
      }
      value={value}
      options={(data?.items ?? []).map(({ id, name, limit_bytes, limit_period, ...places }) => ({
        value: id,
        label: `${name}: ${limit_bytes === null ? 'no limit' : `${formatBytes(limit_bytes)} a ${limit_period}`}, ${lower(placesWords(places).first)}`,
      }))}
      onChange={onChange}
    />
  )
}
