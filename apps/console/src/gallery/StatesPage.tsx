import { useState } from 'react'
import { Badge, Count } from '../ui/Badge.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { statuses, type Status } from '../ui/status.ts'
import { StatusBadge, StatusDot } from '../ui/StatusDot.tsx'
import { Tag, Tags } from '../ui/Tag.tsx'
import { tagColorNames, tagColors } from '../ui/tag-color.ts'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { Section, Specimen } from './Specimen.tsx'

const names = Object.keys(statuses) as Status[]
const tags = tagColorNames.map((color) => ({ name: tagColors[color].word.toLowerCase(), color }))

export function StatesPage() {
  const [filters, setFilters] = useState(['Type', 'Tag', 'Usage'])
  const values: Record<string, [string, string]> = {
    Type: ['is', 'Plastic SIM'],
    Tag: ['is any of', 'eu, cold-chain'],
    Usage: ['over', '500 MB'],
  }
  return (
    <>
      <Section title="Status" about="A shape, a word and a colour, always the three together; told apart in grey.">
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {names.map((status) => (
            <StatusDot key={status} status={status} />
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          {names.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
        </div>
        <Specimen name="in other words">
          <StatusDot status="blocked" label="Blocked, data limit" />
          <StatusBadge status="live" label="Live, 6 h 12 min" />
        </Specimen>
      </Section>
      <Section title="Badges">
        <Specimen name="tones">
          <Badge>Beta</Badge>
          <Badge tone="ok">Paid</Badge>
          <Badge tone="warn">Due</Badge>
          <Badge tone="bad">Failed</Badge>
          <Badge tone="info">Trial</Badge>
          <Badge tone="idle">Draft</Badge>
          <Badge tone="hold">Held</Badge>
        </Specimen>
        <Specimen name="counts">
          <Count of={2} />
          <Count of={12} />
          <Count of={240} />
          <Count of={0} />
        </Specimen>
      </Section>
      <Section title="Tags" about="A set of colours of their own: a tag never looks like a state.">
        <Specimen name="colours">
          {tags.map((tag) => (
            <Tag key={tag.name} {...tag} />
          ))}
        </Specimen>
        <Specimen name="few, many, none">
          <Tags tags={tags.slice(0, 1)} />
          <Tags tags={tags} max={2} />
          <Tags tags={[]} />
        </Specimen>
      </Section>
      <Section title="Types">
        <div className="flex flex-wrap gap-4">
          {[
            ['picolte', 'Pico LTE'],
            ['plastic_sim', 'Plastic SIM'],
            ['core', 'CORE Device + Plastic SIM'],
            ['alpon_x4', 'ALPON X4'],
            ['alpon_x5_ai', 'ALPON X5 AI'],
            ['axis_gw', 'Axis GW'],
          ].map(([type, label]) => (
            <TypeBadge key={type} type={type!} label={label!} />
          ))}
        </div>
      </Section>
      <Section title="Filters">
        <div className="flex flex-wrap gap-2">
          {filters.map((label) => (
            <FilterChip
              key={label}
              label={label}
              verb={values[label]![0]}
              value={values[label]![1]}
              onRemove={() => setFilters(filters.filter((one) => one !== label))}
            />
          ))}
          {filters.length === 0 && <span className="text-fg-3">No filters</span>}
        </div>
      </Section>
    </>
  )
}
