import { queryFields } from '@masthead/contract/assets/query/query-fields'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { simStates, simStatuses } from '@masthead/contract/assets/sim'
import { useMemo, useState, type ComponentProps } from 'react'
import { useSearchParams } from 'react-router'
import type { Filter } from '../kit/filters.ts'
import { useNetworkGroups } from '../network-groups/index.ts'
import { useTags } from '../tags/index.ts'
import type { Option } from '../ui/OptionList.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { statuses } from '../ui/status.ts'
import { TagMark } from '../ui/Tag.tsx'

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const withShape = (words: Record<string, string>, shapes: Record<string, ComponentProps<typeof StateShape>> = statuses) =>
  optionsOf(words).map((option) => ({ ...option, mark: <StateShape {...shapes[option.value]!} /> }))

/** Written into the search line, where they can be made finer: whether of several values any is enough. */
const inLine = {
  block: true,
  silent: false,
  seen: false,
  usage: false,
  limit: false,
  country: true,
  operator: true,
  pool: true,
  fleet: true,
}

const fixed: Filter[] = [
  { key: 'type', label: 'Type', options: optionsOf(assetTypes), multiple: true },
  { key: 'sim_status', label: 'SIM status', options: withShape(simStatuses), multiple: true },
  { key: 'state', label: 'Intended state', options: withShape(simStates), multiple: true },
  {
    key: 'online',
    label: 'Connection',
    options: [
      { value: 'true', label: 'Online', mark: <StateShape {...statuses.online} /> },
      { value: 'false', label: 'Not online', mark: <StateShape {...statuses.offline} /> },
    ],
  },
  {
    key: 'attention',
    label: 'Needs attention',
    options: withShape(queryFields.attention.choices, {
      ...statuses,
      near_limit: statuses.warning,
      quiet: { shape: 'broken', tone: 'warn' },
      refused: { shape: 'diamond', tone: 'ink' },
      uncut: statuses.failed,
      update: statuses.failed,
    }),
  },
]

/** What one can look for in the assets list: the specification's tags, type and SIM status (spec §3), and some of ours. */
export function useAssetFilters(): Filter[] {
  const [choosing, setChoosing] = useState(false)
  const params = useSearchParams()[0]
  // Neither for the list nor for its start: for the words of a filter that is on, and to choose one.
  const tags = useTags(choosing || params.has('tag'))
  const groups = useNetworkGroups(choosing || params.has('network_group'))
  const [more, setMore] = useState<Record<string, Option[]>>({})
  return useMemo(
    () => [
      {
        key: 'tag',
        label: 'Tag',
        multiple: true,
        onOpen: () => setChoosing(true),
        options: (tags ?? []).map(({ id, name, color }) => ({ value: id, label: name, mark: <TagMark color={color} /> })),
      },
      {
        key: 'network_group',
        label: 'Network group',
        multiple: true,
        onOpen: () => setChoosing(true),
        options: (groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      ...fixed,
      ...(Object.keys(inLine) as (keyof typeof inLine)[]).map((key) => ({
        key,
        label: queryFields[key].label,
        multiple: inLine[key],
        inLine: true,
        options: more[key] ?? [],
        // Without them one writes into the line.
        onOpen: () =>
          void import('./query/line-options.ts')
            .then(({ lineOptions }) => lineOptions(key))
            .then((options) => setMore((known) => ({ ...known, [key]: options })))
            .catch(() => {}),
      })),
    ],
    [tags, groups, more]
  )
}

/** The keys of the address that say which assets are listed, besides its line. */
export const filterKeys = ['tag', 'network_group', ...fixed.map((filter) => filter.key)]
