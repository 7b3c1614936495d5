import { useState } from 'react'
import { Checkbox, Switch } from '../ui/Checkbox.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { MultiSelect, Select } from '../ui/Select.tsx'
import { Slider } from '../ui/Slider.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { TagColorPicker, TagPicker, type PickableTag } from '../ui/TagPicker.tsx'
import type { TagColorName } from '../ui/tag-color.ts'
import { Grid, Section } from './Specimen.tsx'

const groups = [
  { value: '100', label: '100 MB', note: '64' },
  { value: '1000', label: '1 GB', note: '118' },
  { value: '10000', label: '10 GB', note: '21' },
  { value: 'none', label: 'Unlimited', note: '9' },
]
const countries = [
  'Austria',
  'Belgium',
  'Croatia',
  'Denmark',
  'Estonia',
  'Finland',
  'Germany',
  'Hungary',
  'The United Kingdom of Great Britain and Northern Ireland',
  'Ireland',
  'Italy',
  'Latvia',
].map((label) => ({ value: label, label }))
const states = [
  { value: 'active', label: 'Active', mark: <StateShape shape="disc" tone="ok" /> },
  { value: 'blocked', label: 'Blocked', mark: <StateShape shape="octagon" tone="bad" /> },
  { value: 'terminated', label: 'Terminated', mark: <StateShape shape="cross" tone="idle" />, disabled: true },
]

export function ChoicesPage() {
  return (
    <>
      <Section
        title="Select"
        about="Arrow keys open it and walk it, letters jump; a search stands above more than eight. Search looks in labels, whatever their case."
      >
        <Selects />
      </Section>
      <Section title="Ticks, choices, switches">
        <Ticks />
      </Section>
      <Section title="Slider" about="From 0 to 100 unless said otherwise. Arrow keys step, with Shift by ten; Home and End go to the ends.">
        <Sliders />
      </Section>
      <Section title="Segments" about="A few ways to see the same thing.">
        <Segments />
      </Section>
      <Section
        title="Tag picker"
        about="Type to narrow, Enter to put on or take off, Backspace to take the last one off. A new name can be made into a tag."
      >
        <TagsToPick />
      </Section>
    </>
  )
}

function Selects() {
  const [group, setGroup] = useState<string | null>('1000')
  const [country, setCountry] = useState<string | null>(null)
  const [some, setSome] = useState<string[]>(['Austria', 'Belgium', 'Croatia', 'Denmark', 'Estonia'])
  const [state, setState] = useState<string | null>('active')
  return (
    <Grid>
      <Select label="Network group" options={groups} value={group} onChange={setGroup} />
      <Select
        label="Country"
        options={countries}
        value={country}
        onChange={setCountry}
        hint="Where it is used."
        placeholder="Any country"
      />
      <MultiSelect label="Countries" options={countries} value={some} onChange={setSome} />
      <Select label="SIM status" options={states} value={state} onChange={setState} />
      <Select label="On its way" options={[]} value={null} onChange={() => undefined} loading />
      <Select label="Not now" options={groups} value="100" onChange={() => undefined} disabled />
      <Select label="Wrong" options={groups} value={null} onChange={() => undefined} error="Choose a group." />
      <Select label="Small" size="small" options={groups} value="none" onChange={() => undefined} />
    </Grid>
  )
}

function Ticks() {
  const [tick, setTick] = useState(true)
  const [renew, setRenew] = useState(true)
  const [policy, setPolicy] = useState('payg')
  const policies = [
    { value: 'stop', label: 'Stop', about: 'Sessions are cut, new ones rejected.' },
    { value: 'payg', label: 'Pay-as-you-go', about: 'At the price of the zone.' },
    { value: 'allow', label: 'Allow 20 %', disabled: 'Not for fixed pools' },
  ]
  return (
    <Grid>
      <div className="grid content-start gap-2">
        <Checkbox checked={tick} onChange={({ target }) => setTick(target.checked)}>
          On the limit, cut the session
        </Checkbox>
        <Checkbox mixed checked={false} onChange={() => undefined}>
          Some of the SIMs
        </Checkbox>
        <Checkbox disabled>Not now</Checkbox>
        <Checkbox disabled defaultChecked>
          Always
        </Checkbox>
        <span className="flex items-center gap-2">
          <Switch label="Auto-renew" checked={renew} onChange={setRenew} />
          Auto-renew {renew ? 'on' : 'off'}
        </span>
        <span className="flex items-center gap-2 text-fg-3">
          <Switch label="Not now" checked={false} onChange={() => undefined} disabled />
          Not now
        </span>
      </div>
      <RadioGroup label="When the pool is empty" choices={policies} value={policy} onChange={setPolicy} />
      <RadioGroup label="The same, with frames" choices={policies} value={policy} onChange={setPolicy} cards />
      <RadioGroup label="Not chosen yet" choices={policies.slice(0, 2)} value={null} onChange={() => undefined} error="Choose one." />
    </Grid>
  )
}

function Sliders() {
  const [share, setShare] = useState(80)
  const [range, setRange] = useState<readonly [number, number]>([20, 60])
  return (
    <Grid>
      <Slider label="Alert at" value={share} onChange={setShare} format={(value) => `${value} %`} hint="Of the data limit." />
      <Slider label="Working hours" value={range} onChange={setRange} />
      <Slider label="Not now" value={40} onChange={() => undefined} disabled />
      <Slider label="Priority" value={3} onChange={() => undefined} min={1} max={5} />
    </Grid>
  )
}

function Segments() {
  const [step, setStep] = useState('day')
  return (
    <div>
      <Segmented
        label="Step"
        value={step}
        onChange={setStep}
        options={[
          { value: 'hour', label: 'Hour' },
          { value: 'day', label: 'Day' },
          { value: 'month', label: 'Month' },
        ]}
      />
    </div>
  )
}

const someTags: PickableTag[] = [
  { id: '1', name: 'eu', color: 'blue' },
  { id: '2', name: 'cold-chain', color: 'teal' },
  { id: '3', name: 'metering', color: 'violet' },
  { id: '4', name: 'retail', color: 'orange' },
]

function TagsToPick() {
  const [tags, setTags] = useState(someTags)
  const [chosen, setChosen] = useState(['2', '1'])
  const [color, setColor] = useState<TagColorName>('teal')
  return (
    <Grid>
      <TagPicker
        label="Tags"
        tags={tags}
        chosen={chosen}
        onChange={setChosen}
        onCreate={(tag) => {
          const id = String(tags.length + 1)
          setTags([...tags, { id, ...tag }])
          setChosen([...chosen, id])
        }}
        hint="Members see assets by their tags."
      />
      <TagPicker label="At most two" tags={tags} chosen={chosen.slice(0, 2)} onChange={setChosen} max={2} />
      <TagPicker label="Not now" tags={tags} chosen={['1']} onChange={() => undefined} disabled />
      <TagColorPicker label="Colour" value={color} onChange={setColor} />
    </Grid>
  )
}
